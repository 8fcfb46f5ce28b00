"""Model files in which one bit was changed: what may come of reading one and scoring rows is an answer or a ValueError.

python tests/altered_models.py FOLDER CHANGES FIRST reads every model of a folder with each of so many changes, from the FIRST on,
and prints what came of each. `survey` runs that in a process of its own, which a change may end or hang, and goes on behind it.
"""

import io
import itertools
import subprocess
import sys
import threading
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np

PATIENCE = 120  # seconds without a line: the first lines also wait for kernels


def altered(path, number):
    """The bytes of a model file with one bit changed inside a member, its checksum made anew, and which bit of which member."""
    rng = np.random.default_rng(number)
    with zipfile.ZipFile(path) as archive:
        members = {name: bytearray(archive.read(name)) for name in archive.namelist()}
    arrays = [name for name in members if name != "schema.json"]
    member = str(rng.choice(arrays)) if arrays and rng.random() < 2 / 3 else "schema.json"
    bit, bits = int(rng.integers(8 * len(members[member]))), 8 * len(members[member])
    if member.endswith(".npy") and rng.random() < 1 / 2:  # half of them behind the header of 128 bytes
        bit = int(rng.integers(min(1024, bits - 8), bits))
    members[member][bit // 8] ^= 1 << bit % 8
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, bytes(content))
    return out.getvalue(), f"bit {bit} of {member}"


def outcome(path):
    """What comes of reading a model and scoring rows: "answer", or an exception's kind and words."""
    from aucbook._core.ranker import fitted_scores
    from aucbook.comparison.modelfiles import read_model

    try:
        model = read_model(path)
        X = np.random.default_rng(0).poisson(2.0, (20, model.n_features_in_)).astype(float)
        return f"answer {np.shape(fitted_scores(model, X))}"
    except Exception as error:
        kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
        return f"{kind}: {error}".splitlines()[0]


def cases(folder, changes):
    """(model file, number of a change) of everything that is tried, in order."""
    return list(itertools.product(sorted(Path(folder).glob("*.skops")), range(changes)))


def run(folder, changes, first):
    """Print what comes of each case from the first on."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))  # a lying size must not swallow the machine
    warnings.simplefilter("ignore")
    changed = Path(folder) / "changed"
    for path, number in cases(folder, changes)[first:]:
        changed.write_bytes(altered(path, number)[0])
        print(outcome(changed), flush=True)


def survey(folder, changes):
    """List of (model's name, what was changed, what came of it: "answer …", an exception, "crash …" or "hang")."""
    found, tried = [], cases(folder, changes)
    while len(found) < len(tried):
        command = [sys.executable, __file__, str(folder), str(changes), str(len(found))]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        heard = [time.monotonic()]

        def listen(child=child, heard=heard):
            for line in child.stdout:
                found.append(line.rstrip("\n"))
                heard[0] = time.monotonic()

        listener = threading.Thread(target=listen)
        listener.start()
        while (late := time.monotonic() - heard[0]) <= PATIENCE and child.poll() is None:
            time.sleep(0.05)
        if late > PATIENCE:
            child.kill()
        code = child.wait()
        listener.join()
        if len(found) < len(tried):
            found.append("hang" if late > PATIENCE else f"crash {code}")
    return [(path.stem, altered(path, number)[1], what) for (path, number), what in zip(tried, found)]


if __name__ == "__main__":
    run(sys.argv[1], *map(int, sys.argv[2:4]))
