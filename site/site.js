// Theme, chapter menu and copy buttons. The page reads well without any of them.
(() => {
  const root = document.documentElement, menu = document.getElementById("menu"), nav = document.getElementById("nav");
  document.getElementById("theme").onclick = () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
  };
  menu.onclick = () => menu.setAttribute("aria-expanded", nav.classList.toggle("open"));
  for (const block of document.querySelectorAll("div.sourceCode")) {
    const button = Object.assign(document.createElement("button"), { className: "copy", type: "button", textContent: "Copy" });
    button.onclick = async () => {
      await navigator.clipboard.writeText(block.querySelector("code").innerText);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1200);
    };
    block.append(button);
  }
  for (const box of document.querySelectorAll("pre, .rich, .table, .equation")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; // scrollable by keyboard
})();
