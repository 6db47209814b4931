from cart import Cart

first, second = Cart(), Cart()
assert first.add("pen") == ["new"]
assert first.add("ink") == ["new"], "a default is shared between calls"
assert len(second.items) == 0, "items are shared between carts"
own = ["blue"]
assert second.add("cup", own) == ["blue", "new"]
assert [name for name, _ in first.items] == ["pen", "ink"]
