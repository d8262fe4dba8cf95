"""Scores of one's own in other processes: their formulas travel with the work, or are refused with words.

Formulas are functions, often without a name; cloudpickle writes them out. The other process
registers them as they were declared, so that they are tried there again, and forgets those of an earlier run.
"""

from __future__ import annotations

import hashlib
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores.registry import register, registered_scores, unregister
from scoreproof.validation import shown
from scoreproof.work.pool import Call, travels

_ADOPTED: dict[str, list[str]] = {}  # the digest of what was unpacked last, and the names it brought


def pack_scores() -> Call[None] | None:
    """The call that makes the registered scores known elsewhere; None if there are none."""
    own = registered_scores()
    if not own:
        return None
    import cloudpickle

    declared = [
        (
            score.name,
            score.ratio,
            {
                "title": score.title,
                "synonyms": score.synonyms,
                "link": score.link.name,
                "monotone": ("rises" if score.direction > 0 else "falls") if score.declared else None,
                "latex": score.latex,
                "reference": score.reference,
            },
        )
        for score in own
    ]
    try:
        packed = cloudpickle.dumps(declared)
    except Exception as error:  # whatever a formula holds on to, its own pickling may raise anything
        names = ", ".join(score.name for score in own)
        raise InvalidOption(
            f"scores of your own ({names}): their formulas cannot be sent to other processes ({shown(error)}); define "
            "them as plain functions, or use one process"
        ) from None
    return adopt_scores, (packed,)


def adopt_scores(packed: bytes) -> None:
    """Register what another process packed; again only if it has changed."""
    import cloudpickle

    digest = hashlib.sha256(packed).hexdigest()
    if digest in _ADOPTED:
        return
    for names in _ADOPTED.values():
        for name in names:
            unregister(name)
    _ADOPTED.clear()
    declared: list[tuple[str, Any, dict[str, Any]]] = cloudpickle.loads(packed)
    for name, ratio, options in declared:
        register(name, ratio, **options)
    _ADOPTED[digest] = [name for name, _, _ in declared]


travels(pack_scores)
