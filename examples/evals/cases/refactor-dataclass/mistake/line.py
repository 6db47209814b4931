from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    product: str
    quantity: int = 1
