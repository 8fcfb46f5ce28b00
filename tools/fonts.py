"""Makes website/assets/fonts/: subsets of two free typefaces from npm, with their licences, and says what style.css must claim.

    python tools/fonts.py

The site carries the files, so this is needed only for other characters or another face. It needs npm, fontTools (which
matplotlib brings) and `pip install brotli`. tests/website/test_site.py fails when a formula of the book uses a character that is not in MATH.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FONTS = Path(__file__).resolve().parents[1] / "website/assets/fonts"
TEXT = "20-7E A0-FF 152-153 2010-2027 2030 2039-203A 2044 20AC 2122 2212 2215"
# letters, accents, Greek, primes, operators and arrows, fences, and the alphabets that formulas set their letters in; in running
# text the signs that the text face lacks come from here, too
MATH = (
    "20-7E A0-FF 131 237 300-338 391-3F5 2010-2057 2061-2064 2070-209C 2102-2138 2153-215E 2190-21D5 2200-22FF 2308-230B "
    "23B4-23B5 23DC-23E1 27E6-27EB 2A7D-2A7E 1D400-1D4CF 1D538-1D56B 1D6A4-1D6A5 1D6A8-1D71B 1D7CE-1D7E1"
)
SIGNS = "391-3F5 2032-2033 2070-209C 2153-215E 2190-21D5 2200-2211 2213-2214 2216-22FF"  # of MATH, for running text
# file of ours: (npm package and version, its file, characters)
FACES = {
    "literata-400-normal": ("@fontsource/literata@5.3.0", "literata-latin-400-normal", TEXT),
    "literata-400-italic": ("@fontsource/literata@5.3.0", "literata-latin-400-italic", TEXT),
    "literata-600-normal": ("@fontsource/literata@5.3.0", "literata-latin-600-normal", TEXT),
    "stix-two-math": ("@fontsource/stix-two-math@5.3.0", "stix-two-math-latin-400-normal", MATH),
}


def characters(ranges):
    """The code points of `41-5A 61`."""
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def css(ranges):
    """As style.css writes them."""
    return ", ".join(f"U+{part}" for part in ranges.split())


def unpacked(package, folder):
    """The folder of an npm package's files."""
    done = subprocess.run(
        ["npm", "pack", package, "--silent"], cwd=folder, check=True, capture_output=True, text=True
    )
    shutil.unpack_archive(folder / done.stdout.strip(), folder / "unpacked", "gztar")
    found = folder / package.rpartition("@")[0].replace("/", "-").strip("@")
    (folder / "unpacked/package").rename(found)
    return found


def shrunk(source, ranges, target):
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(source)
    options = subset.Options(hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    options.drop_tables += ["STAT", "DSIG"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters(ranges))
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def main():
    with tempfile.TemporaryDirectory() as folder:
        packages = {}
        for name, (package, file, ranges) in FACES.items():
            if package not in packages:
                packages[package] = unpacked(package, Path(folder))
                shutil.copy(
                    packages[package] / "LICENSE", FONTS / f"LICENSE-{file.partition('-latin')[0]}"
                )
            target = FONTS / f"{name}.woff2"
            shrunk(packages[package] / f"files/{file}.woff2", ranges, target)
            print(f"{target.name}: {target.stat().st_size / 1e3:.0f} kB")
    for title, ranges in (("text", TEXT), ("math", MATH), ("signs in text", SIGNS)):
        print(f"unicode-range of {title}: {css(ranges)}")


if __name__ == "__main__":
    sys.exit(main())
