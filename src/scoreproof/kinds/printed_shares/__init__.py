"""Printed confusion matrices of several classes whose cells are shares of their rows."""
