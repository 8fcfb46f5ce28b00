#!/usr/bin/env bash
# The unit tests with the lowest versions that settings.ini declares:  bash tests/lowest.sh [python]   (make lowest)
# Only what a user installs is lowered; pytest and friends stay new.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
"${1:-python3.10}" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check uv
# what a user installs, the extras that add functions included; pandas, because tables may be its frames
requirements="$(sed -nE 's/^((files|engines|cluster|models)_)?requirements = //p' settings.ini) pandas>=2.1"
# shellcheck disable=SC2086
"$work/venv/bin/uv" pip install --quiet --python "$work/venv/bin/python" --only-binary :all: --resolution lowest-direct $requirements
# what is installed already stays as it is
"$work/venv/bin/uv" pip install --quiet --python "$work/venv/bin/python" --only-binary :all: 'pytest>=8,<9.2' 'filelock>=3.12' 'hypothesis>=6.100' 'nbclient>=0.10' 'ipykernel>=6' 'anywidget>=0.9' 'numpydoc>=1.8'
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -e .
"$work/venv/bin/python" -m pip list --disable-pip-version-check 2>/dev/null | grep -iE '^(numpy|scipy|numba|matplotlib|scikit-learn|lazy.loader|tqdm|pandas|pyarrow|skops|distributed) '
# everything but the pages, the site, the browsers, the wheel and the coverage, which need the development tools
NUMBA_CACHE_DIR="$work/cache" "$work/venv/bin/python" -m pytest $(find tests -name 'test_*.py' | grep -vE 'tests/website/|pages/test_(notebooks|nbdev|lab|lessons|dialect|results|reproducibility|concordance)|repository/test_(lint|package|installed|coverage|workflows)' | sort)
