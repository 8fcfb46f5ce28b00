// The ranking of the search: a query against the sections of the index. It touches no page, so that a test can run it.
const ranking = (() => {
  const plain = text => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const tidy = text => plain(text).replace(/[?!.,;:"]+(?=\s|$)/g, " ").trim().replace(/\s+/g, " ");
  const GREEK = { alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", lambda: "λ", mu: "μ", sigma: "σ", phi: "φ", omega: "ω" };
  // words of a question that say nothing of what it is about; they count if there are no others
  const QUESTION = new Set("a an and are can define definition do does explained for from get how i in is it me mean meaning my of on or should the there to what when which who why with".split(" "));
  const telling = asked => {
    const all = asked.split(" ").filter(Boolean), some = all.filter(word => !QUESTION.has(word));
    return some.length ? some : all;
  };
  const escaped = form => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const stem = word => word.length < 5 ? word : word.replace(/(?:ations?|ating|ated|ates?|ings?|ies|ers?|ed|es|s|y)$/, "").replace(/([^aeiouls])\1$/, "$1");

  // what the search knows of each section: where it is, and its texts in plain letters
  const sections = index => index.sections.map(([page, anchor, title, text]) => {
    const [file, chapter, asked] = index.pages[page];
    return { file, anchor, part: file.split("/").length > 1 ? file.split("/")[0] : "lessons", chapter, title, text, in: [plain(title || chapter), plain(chapter), plain(text), plain(anchor ? "" : asked)], asked: anchor ? [] : plain(asked).split(", ") };
  });

  // a query is a list of words; each is found whole, at the start of a word (its stem will do), or (for less) inside one, or as a word that means the same
  const parse = (text, same) => {
    const asked = tidy(text), others = new Map();
    for (const group of same) {      // the glossary's words for one thing
      const forms = group.map(plain), met = forms.filter(form => RegExp(`(?<![\\p{L}\\d])${escaped(form)}(?![\\p{L}\\d])`, "u").test(asked));
      for (const form of met) for (const word of form.split(" ")) others.set(word, [...others.get(word) || [], ...forms.filter(other => other !== form)]);
    }
    return telling(asked).map((word, _, words) => {
      const short = word.length < 3 && words.length > 1 ? "(?![\\p{L}\\d])" : "";      // "r" is the language, not the beginning of every other word
      const forms = [word, Object.hasOwn(GREEK, word) && GREEK[word]].filter(Boolean), any = forms.map(escaped).join("|"), begins = [stem(word), ...forms].map(escaped).join("|");
      return {
        whole: RegExp(`(?<![\\p{L}\\d_])(?:${any})(?![\\p{L}\\d_])`, "u"), start: RegExp(`(?<![\\p{L}\\d])(?:${begins})${short}`, "gu"), part: RegExp(short ? `(?<![\\p{L}\\d])(?:${any})${short}` : any, "u"),
        same: others.has(word) && RegExp(`(?<![\\p{L}\\d])(?:${others.get(word).map(escaped).join("|")})(?![\\p{L}\\d])`, "u"),
      };
    });
  };

  const NAMED = 60;
  const WEIGHT = { lessons: 1.7, howto: 1.5, reference: 1, workshop: .8, evidence: .8 };
  // what a section earns for a word: titles count most, then the words that readers look for it with, then its text
  const earns = (section, { whole, start, part, same }) => {
    const [title, chapter, text, asked] = section.in, times = (text.match(start) || []).length, head = title.search(start) >= 0;
    const points = Math.max(whole.test(title) ? 18 : head ? 14 : part.test(title) ? 8 : 0, whole.test(asked) ? 24 : asked.search(start) >= 0 ? 18 : 0) + (whole.test(chapter) ? 9 : chapter.search(start) >= 0 ? 7 : part.test(chapter) ? 3 : 0) + (times ? 3 + Math.min(times, 5) : part.test(text) ? 1 : 0);
    return same ? Math.max(points, (same.test(title) ? 12 : 0) + (same.test(chapter) ? 6 : 0) + (same.test(text) ? 3 : 0)) : points;
  };
  // [points, section]: a word in few sections says more than one in many, and more words found count more than one found often
  const scored = (all, words) => {
    const table = all.map(section => words.map(word => earns(section, word)));
    const rare = words.map((_, i) => 1 + Math.log(all.length / (1 + table.filter(row => row[i]).length))), sum = rare.reduce((a, b) => a + b, 0);
    return table.map((row, j) => {
      const share = rare.map(weight => weight * words.length / sum), points = row.reduce((a, n, i) => a + n * share[i], 0), found = row.filter(n => n).length / words.length;
      return [points * found ** 2 * (Object.hasOwn(WEIGHT, all[j].part) ? WEIGHT[all[j].part] : 1), all[j]];
    });
  };

  // the sections in which a word of the query is found, best first
  const rank = (all, words, query) => {
    const exact = tidy(query) + " ", about = telling(tidy(query)).join(" ");
    // a page whose words say just this, or that says two words of it together
    const named = section => Math.max(0, ...section.asked.map(words => words === about ? NAMED : words.includes(" ") && ` ${about} `.includes(` ${words} `) ? NAMED / 2 : 0));
    const more = section => named(section) + 20 * (section.in[0] + " ").startsWith(exact);
    return words.length ? scored(all, words).filter(([n]) => n).map(([n, section]) => [n + more(section), section]).sort((a, b) => b[0] - a[0]).map(([, section]) => section) : [];
  };
  return { plain, sections, parse, rank };
})();
