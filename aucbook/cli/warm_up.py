"""`aucbook warm-up`: compile kernels before they are needed."""

import time
from .._validation.messages import count_of


def add_warm_up(commands):
    """Add the subcommand `warm-up`."""
    command = commands.add_parser(
        "warm-up",
        help="compile the kernels of the default rankers, which the first fits would wait for",
        epilog="Once after an installation or an upgrade. Compiled kernels are kept beside the "
        "library, or in the folder that the variable NUMBA_CACHE_DIR names (in an image of a "
        "container: one that can be written to while the image is built, and read by its user).",
    )
    command.set_defaults(run=warm_up)


def warm_up(arguments):
    """Run `aucbook warm-up`; return the exit code."""
    from .._base.progress import progress_bar
    from .._kernels.compiling import COMPILATION
    from ..model_selection.warm_up import compile_in_turn, rankers_to_compile

    COMPILATION.is_due = False  # the bar says that kernels compile
    before = COMPILATION.n_kernels
    start = time.monotonic()
    with progress_bar(1 + len(rankers_to_compile()), "compiling") as bar:
        for name in compile_in_turn():
            bar.update()
            bar.set_postfix_str(name)
    compiled = COMPILATION.n_kernels - before
    seconds = time.monotonic() - start
    if compiled:
        print(f"{count_of(compiled, 'kernel')} compiled in {seconds:.0f} s.")
    else:
        print("All kernels had been compiled before.")
    return 0
