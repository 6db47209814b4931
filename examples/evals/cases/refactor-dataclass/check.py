import dataclasses

from line import Line

assert dataclasses.is_dataclass(Line), "Line is no dataclass"
assert Line("pen") == Line("pen", 1)
assert len({Line("pen"), Line("pen", 1), Line("pen", 2)}) == 2
assert repr(Line("pen", 2)) == "Line(product='pen', quantity=2)"
try:
    Line("pen").quantity = 3
    raise SystemExit("a line can be changed")
except dataclasses.FrozenInstanceError:
    pass
try:
    Line("pen", 0)
    raise SystemExit("a quantity of 0 is accepted")
except ValueError as error:
    assert str(error) == "quantity must be 1 or more"
assert "__init__" not in open("line.py").read(), "__init__ is still written by hand"
