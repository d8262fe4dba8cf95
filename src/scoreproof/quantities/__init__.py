"""What can be reported, and how it is called."""

from scoreproof.quantities.quantity import Quantity
from scoreproof.quantities.registry import Register, declare, quantity, register_of

__all__ = ["Quantity", "Register", "declare", "quantity", "register_of"]
