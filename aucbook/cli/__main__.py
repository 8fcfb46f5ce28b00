"""python -m aucbook.cli"""

import sys

from . import main

sys.exit(main())
