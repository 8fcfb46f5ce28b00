"""Altered model files: reading one and scoring rows gives the same scores or a FileError, or other scores where the
digest was computed again.

python tests/altered_models.py FOLDER CHANGES FIRST reads every model of a folder with each of so many changes of each kind, from the
FIRST on, and prints the outcome of each. `survey` runs that in a separate process, which a change may end or hang, and continues with the next.

python tests/altered_models.py FOLDER CHANGES alone is the full run: it writes models of every kind to the folder, alters them and
prints a table.
"""

import io
import itertools
import json
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

PATIENCE = 120  # seconds without a line: the first lines also wait for kernels
NUMBERS = (
    float("nan"),
    float("inf"),
    -float("inf"),
    0,
    1,
    2,
    -1,
    -(2**31),
    2**31,
    2**63,
    10**30,
    1e308,
    -1e308,
    5e-324,
    0.5,
    255,
)
OTHERS = (None, "x", "", True, [], {}, "\x1b[2J", "1", [1, 2])


def _text_nodes(schema):
    """Nodes of a parsed schema.json whose content is a number, a text, True, False or None."""
    waiting, nodes = [schema], []
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            nodes += [node] if node.get("__loader__") == "JsonNode" else []
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return nodes


def _dicts(schema):
    """Nodes of a parsed schema.json that are dicts with fields."""
    waiting, nodes = [schema], []
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            nodes += [node] if node.get("__loader__") == "DictNode" and node["content"] else []
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return nodes


def _in_schema(parts, rng, change):
    """The parts after `change` altered one of the nodes of the schema that it chooses among."""
    schema = json.loads(parts["schema.json"])
    change(schema, rng)
    return parts | {"schema.json": json.dumps(schema).encode()}


def drop_field(schema, rng):
    """Delete a field of a dict, and the type of its name with it."""
    node = _dicts(schema)[rng.integers(len(_dicts(schema)))]
    at = int(rng.integers(len(node["content"])))
    del node["content"][list(node["content"])[at]]
    if len(node["key_types"].get("content", ())) > at:
        del node["key_types"]["content"][at]


def swap_type(schema, rng):
    """Give a field a value of another type, or an object another class."""
    nodes = _text_nodes(schema)
    node = nodes[rng.integers(len(nodes))]
    node["content"] = json.dumps(OTHERS[rng.integers(len(OTHERS))])
    if rng.random() < 0.2:
        node["__loader__"] = str(rng.choice(["DictNode", "ListNode", "NdArrayNode", "ObjectNode"]))


def other_number(schema, rng):
    """Give a field another number."""
    nodes = [n for n in _text_nodes(schema) if not n["content"].startswith('"')]
    nodes[rng.integers(len(nodes))]["content"] = json.dumps(NUMBERS[rng.integers(len(NUMBERS))])


def swap_fields(schema, rng):
    """Let two fields of a dict change places."""
    node = _dicts(schema)[rng.integers(len(_dicts(schema)))]
    names = list(node["content"])
    one, two = (names[k] for k in rng.integers(len(names), size=2))
    node["content"][one], node["content"][two] = node["content"][two], node["content"][one]


def _arrays(parts):
    return sorted(name for name in parts if name.endswith(".npy"))


def _saved(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def other_element(parts, rng):
    """Give one or all elements of an array another value."""
    name = str(rng.choice(_arrays(parts)))
    array = np.load(io.BytesIO(parts[name])).copy()
    if array.size == 0:
        return parts | {name: _saved(np.ones(3))}
    at = tuple(int(rng.integers(n)) for n in array.shape) if rng.random() < 0.8 else ...
    field = str(rng.choice(array.dtype.names)) if array.dtype.names else None
    target = array[field] if field else array
    value = NUMBERS[rng.integers(len(NUMBERS))]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            target[at] = np.array(value).astype(target.dtype)
        except (OverflowError, ValueError, TypeError):
            target[at] = target.flat[0]
    return parts | {name: _saved(array)}


def other_shape(parts, rng):
    """Give an array another number of rows, another shape or another type of elements."""
    name = str(rng.choice(_arrays(parts)))
    array = np.load(io.BytesIO(parts[name]))
    ways = [
        lambda a: np.resize(a, (0, *a.shape[1:])),
        lambda a: a[:-1] if a.ndim else a.reshape(1),
        lambda a: np.concatenate([np.atleast_1d(a), np.atleast_1d(a)]),
        lambda a: a.T if a.ndim > 1 else a.reshape(1, -1),
        lambda a: a.reshape(-1),
        lambda a: a.astype(np.float32) if not a.dtype.names else a[:1],
        lambda a: a.astype(np.int8) if not a.dtype.names else a[::-1],
        lambda a: a.astype("U3") if not a.dtype.names else a[:0],
        lambda a: a[::-1] if a.ndim else a,
    ]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return parts | {name: _saved(ways[rng.integers(len(ways))](array))}


def swap_parts(parts, rng):
    """Let two arrays change places."""
    one, two = (str(name) for name in rng.choice(_arrays(parts), 2))
    return parts | {one: parts[two], two: parts[one]}


def flip_bit(parts, rng):
    """Change one bit of a part."""
    name = str(rng.choice(sorted(parts)))
    content = bytearray(parts[name])
    bit = int(rng.integers(8 * len(content)))
    content[bit // 8] ^= 1 << bit % 8
    return parts | {name: bytes(content)}


def cut_part(parts, rng):
    """Cut a part short, or leave it out."""
    name = str(rng.choice(sorted(parts)))
    if rng.random() < 0.2:
        return {other: content for other, content in parts.items() if other != name}
    return parts | {name: parts[name][: rng.integers(len(parts[name]))]}


OF_PARTS = {  # the digest is computed again
    "bit of a part": flip_bit,
    "part cut": cut_part,
    "field dropped": lambda parts, rng: _in_schema(parts, rng, drop_field),
    "type swapped": lambda parts, rng: _in_schema(parts, rng, swap_type),
    "number": lambda parts, rng: _in_schema(parts, rng, other_number),
    "fields swapped": lambda parts, rng: _in_schema(parts, rng, swap_fields),
    "element": other_element,
    "shape": other_shape,
    "parts swapped": swap_parts,
}


def _flip_byte(data, rng):
    content = bytearray(data)
    content[rng.integers(len(content))] ^= int(rng.integers(1, 256))
    return bytes(content)


def _cut(data, rng):
    return data[: rng.integers(len(data))]


def _overwrite(data, rng):
    at, size = int(rng.integers(len(data))), int(rng.integers(1, 64))
    return data[:at] + bytes(rng.integers(256, size=size, dtype=np.uint8)) + data[at + size :]


OF_BYTES = {"byte": _flip_byte, "cut": _cut, "bytes overwritten": _overwrite}
KINDS = [*OF_BYTES, *OF_PARTS, "old digest"]


def altered(data, kind, number):
    """The bytes of a model file after a change of a kind."""
    from aucbook.deployment.model_files import SEAL, pack, unpack

    rng = np.random.default_rng([KINDS.index(kind), number])
    if kind in OF_BYTES:
        return OF_BYTES[kind](data, rng)
    parts = unpack(data)
    seal = parts.pop(SEAL)
    if kind != "old digest":
        return pack(OF_PARTS[kind](parts, rng))
    changes = [change for change in OF_PARTS.values() if change is not cut_part]
    changed = changes[rng.integers(len(changes))](parts, rng)
    if changed == parts:
        changed = parts | {"schema.json": parts["schema.json"] + b" "}
    return pack(changed | {SEAL: seal}, sealed=True)


def rows_for(model):
    """Rows that a model can score: small counts, and for a table's model its columns."""
    rng = np.random.default_rng(0)
    encoder = getattr(getattr(model, "model", None), "steps", [("", None)])[0][1]
    if hasattr(encoder, "kinds_"):
        cells = {
            "number": 3.0,
            "category": "north",
            "text": "words of a note",
            "date": "2024-05-04",
        }
        columns = [[cells.get(kind)] * 20 for kind in encoder.kinds_.values()]
        return np.array(columns, object).T, list(encoder.kinds_)
    columns = getattr(model, "n_features_in_", None) or model.model.n_features_in_
    return rng.poisson(2.0, (20, columns)).astype(float), None


def read(path):
    """A Decision, or else the model in a file."""
    from aucbook import load_decision
    from aucbook.deployment.model_files import read_model

    return load_decision(path) if Path(path).name.startswith("decision") else read_model(path)


def scored(model, X, names):
    """Scores, of a Decision also probabilities and labels, as one array."""
    from aucbook._base.ranker import fitted_scores

    if not hasattr(model, "calibrator"):
        return np.asarray(
            fitted_scores(model, X, ("decision_function", "predict_proba", "predict")), float
        )
    str(model), model.sentences(), repr(model)
    return np.concatenate(
        [
            model.positive_scores(X, names),
            model.predict_proba(X, names)[:, 1],
            model.predict(X, names) == model.pos_label,
        ]
    )


def outcome(path, X, names, expected):
    """Outcome of reading a model and scoring rows: same, other, NaN, refused, or an exception that is none of ours."""
    from aucbook._tables.files import FileError

    try:
        model = read(path)
    except FileError as error:
        return f"refused: {error}".splitlines()[0]
    except Exception as error:
        return f"UNKNOWN {type(error).__name__}: {error}".splitlines()[0]
    try:
        scores = scored(model, X, names)
    except ValueError as error:
        return f"no scores: {error}".splitlines()[0]
    except Exception as error:
        return f"UNKNOWN where rows are scored {type(error).__name__}: {error}".splitlines()[0]
    if scores.shape != expected.shape:
        return f"UNKNOWN shape {scores.shape}"
    return (
        "NaN" if np.isnan(scores).any() else "same" if np.array_equal(scores, expected) else "other"
    )


def cases(folder, changes, kinds=None):
    """(model file, kind, number of a change) of everything that is tried, in order."""
    files = sorted(path for path in Path(folder).glob("*.skops") if path.stem != "changed")
    return list(itertools.product(files, kinds or KINDS, range(changes)))


def run(folder, changes, first, *kinds):
    """Print the outcome of each case, from number `first` on."""
    import resource

    resource.setrlimit(
        resource.RLIMIT_AS, (12 << 30, 12 << 30)
    )  # a lying size must not swallow the machine
    warnings.simplefilter("ignore")
    last = None
    for path, kind, number in cases(folder, changes, kinds)[first:]:
        if path != last:
            model, last = read(path), path
            X, names = rows_for(model)
            data, expected = path.read_bytes(), scored(model, X, names)
        try:
            changed = altered(data, kind, number)
        except ValueError:  # a model without arrays has none to alter
            print("same", flush=True)
            continue
        file = (
            Path(folder) / f"{'decision' if path.name.startswith('decision') else 'model'}.changed"
        )
        file.write_bytes(changed)
        print(outcome(file, X, names, expected), flush=True)


def survey(folder, changes, kinds=()):
    """List of (model's name, kind, number, outcome); crash and hang are outcomes, too."""
    outcomes, tried = [], cases(folder, changes, kinds)
    while len(outcomes) < len(tried):
        command = [sys.executable, __file__, str(folder), str(changes), str(len(outcomes)), *kinds]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        heard = [time.monotonic()]
        last_lines = []

        def listen(child=child, heard=heard):
            for line in child.stdout:
                outcomes.append(line.rstrip("\n"))
                heard[0] = time.monotonic()

        def read_errors(child=child, last_lines=last_lines):
            for line in child.stderr:
                del last_lines[:-20]
                last_lines.append(line)

        listeners = [threading.Thread(target=listen), threading.Thread(target=read_errors)]
        for listener in listeners:
            listener.start()
        while (late := time.monotonic() - heard[0]) <= PATIENCE and child.poll() is None:
            time.sleep(0.05)
        if late > PATIENCE:
            child.kill()
        code = child.wait()
        for listener in listeners:
            listener.join()
        if len(outcomes) < len(tried):
            if code == 1:
                raise RuntimeError("".join(last_lines))
            outcomes.append("hang" if late > PATIENCE else f"crash {code}")
    return [
        (path.stem, kind, number, result) for (path, kind, number), result in zip(tried, outcomes)
    ]


def is_wrong(kind, result):
    """Whether an outcome is wrong: with the digest as it was, only a refusal or the same scores are right."""
    if result.startswith(("crash", "hang", "UNKNOWN")) or result == "NaN":
        return True
    return result == "other" and (kind in OF_BYTES or kind == "old digest")


def table(outcomes):
    """Lines of a table: the number of outcomes of each sort, for each kind of change."""
    counts = {
        kind: Counter(
            result.split(":")[0].split(" ")[0] for _, k, _, result in outcomes if k == kind
        )
        for kind in KINDS
    }
    names = ["refused", "same", "other", "no", "NaN", "UNKNOWN", "crash", "hang"]
    lines = [f"{'':20}" + "".join(f"{name:>9}" for name in names)]
    return lines + [
        f"{kind:20}" + "".join(f"{count[name]:9}" for name in names)
        for kind, count in counts.items()
        if count
    ]


if __name__ == "__main__":
    if len(sys.argv) > 3:
        run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
    else:
        from models_in_files import write_all

        write_all(sys.argv[1])
        results = survey(sys.argv[1], int(sys.argv[2]))
        print(*table(results), sep="\n")
        print(*[line for line in results if is_wrong(line[1], line[3])], sep="\n")
