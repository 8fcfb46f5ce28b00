"""aucbook: ranking, partial AUC, isotonic boosting and ranking trees; the library that the book's pages export.

The public names are listed once, in the stub `__init__.pyi` beside this file. Each is imported when it is first used
(PEP 562), so that `import aucbook` costs no more than reading that list.
"""

import lazy_loader as _lazy

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
