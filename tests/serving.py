"""A JupyterLab of the tests' own: its address, its settings in a folder of its own, a clean end."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--IdentityProvider.token=",
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)


def free_port() -> int:
    """A port that no server listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def serve_notebooks(notebooks: Path, settings: Path, library: Path) -> Iterator[str]:
    """The address of a JupyterLab over a folder of notebooks.

    settings: a folder for its own files. library: the root that notebooks import aucbook from.
    """
    port = free_port()
    inherited = {k: v for k, v in os.environ.items() if k not in ("AUCBOOK_DATA", "MPLBACKEND")}
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "IPYTHONDIR": "ipython",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }
    environment = inherited | {name: str(settings / folder) for name, folder in folders.items()}
    environment["PYTHONPATH"] = str(library)
    command = [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--port={port}"]
    command.append(f"--ServerApp.root_dir={notebooks}")
    with (settings / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=settings, env=environment, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(240):
            try:
                urlopen(f"{address}/api", timeout=5).close()
                break
            except (URLError, OSError):
                assert server.poll() is None, (settings / "log").read_text()
                time.sleep(0.25)
        yield address
    finally:
        server.terminate()  # a clean shutdown: it ends the kernel too
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
