class Line:
    def __init__(self, product, quantity=1):
        if quantity < 1:
            raise ValueError("quantity must be 1 or more")
        self.product = product
        self.quantity = quantity

    def __eq__(self, other):
        return isinstance(other, Line) and (self.product, self.quantity) == (other.product, other.quantity)

    def __hash__(self):
        return hash((self.product, self.quantity))

    def __repr__(self):
        return f"Line(product={self.product!r}, quantity={self.quantity!r})"
