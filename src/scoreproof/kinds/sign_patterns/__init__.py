"""A p-value of an exact test over pairs, against the sign patterns it can have counted."""
