"""A PostgreSQL server for the tests: started in a temporary folder, on a socket there, by a user who is not root."""

import csv
import io
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path


def programs() -> Path | None:
    """The folder with initdb, pg_ctl and psql; None where PostgreSQL is not installed."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name)
    )
    with_initdb = [folder for folder in folders if (folder / "initdb").exists()]
    if not with_initdb and (initdb := shutil.which("initdb")) is not None:
        with_initdb = [Path(initdb).parent]
    return with_initdb[-1] if with_initdb else None


class Postgres:
    """One server; `start` raises OSError or CalledProcessError where it cannot be had."""

    def __init__(self) -> None:
        self.bin, self.folder = programs(), None
        self.prefix: list[str] = []

    def run(self, program: str, *options: str, text: str | None = None) -> str:
        """What a program writes, run as a user who is not root."""
        command = [*self.prefix, str(self.bin / program), *options]
        place = {
            "cwd": self.folder,
            "capture_output": True,
            "text": True,
            "encoding": "utf8",
            "timeout": 120,
        }
        done = subprocess.run(command, input=text, check=False, **place)
        if done.returncode:
            raise OSError(f"{program}: {done.stderr.strip()}")
        return done.stdout

    def start(self, encoding: str = "UTF8") -> None:
        """Make a cluster in a new folder and start it."""
        if self.bin is None:
            raise OSError("PostgreSQL is not installed")
        self.folder = tempfile.mkdtemp(prefix="pg-", dir="/tmp")  # a socket's path is short
        if os.getuid() == 0:
            try:
                user = pwd.getpwnam("postgres")
            except KeyError:
                raise OSError(
                    "PostgreSQL does not run as root, and there is no user postgres"
                ) from None
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.run(
            "initdb",
            "-D",
            "data",
            "-A",
            "trust",
            "-U",
            "postgres",
            "-E",
            encoding,
            "--locale=C",
            "-N",
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        subprocess.run(
            [
                *self.prefix,
                str(self.bin / "pg_ctl"),
                "-D",
                "data",
                "-o",
                options,
                "-l",
                "log",
                "-w",
                "start",
            ],
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=120,
        )

    def stop(self) -> None:
        """Stop the server and remove its folder."""
        if self.folder is not None:
            try:
                self.run("pg_ctl", "-D", "data", "-m", "immediate", "stop")
            except OSError:
                pass
            shutil.rmtree(self.folder, ignore_errors=True)

    def script(self, text: str) -> str:
        """What psql writes for a script."""
        options = [
            "-h",
            self.folder,
            "-U",
            "postgres",
            "-d",
            "postgres",
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-f",
            "-",
        ]
        return self.run("psql", *options, text="SET client_encoding = 'UTF8';\n" + text)

    def rows(self, query: str) -> list[list[str]]:
        """The rows of a query as strings; floats with all their digits."""
        return list(
            csv.reader(
                io.StringIO(self.script(f"COPY ({query}) TO STDOUT (FORMAT csv);"), newline="")
            )
        )
