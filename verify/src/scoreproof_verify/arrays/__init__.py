"""Lists of numbers that are worked on together: by numpy where it is installed, else by ``arrays.plain``.

Rules that list many points say ``np`` and mean whichever it is: of numpy they use one-dimensional arrays and no more
than ``arrays.plain`` has under the same names. Whole numbers stay within 64 bits by the checks of the rules themselves,
and floats are added, multiplied, divided and rooted one by one, so both give the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
else:
    try:
        import numpy as np
    except ImportError:
        from scoreproof_verify.arrays import plain as np

    Ints = Floats = Flags = object

__all__ = ["Flags", "Floats", "Ints", "np"]
