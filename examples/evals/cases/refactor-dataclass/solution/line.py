from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    product: str
    quantity: int = 1

    def __post_init__(self):
        if self.quantity < 1:
            raise ValueError("quantity must be 1 or more")
