class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, tags=None):
        tags = [] if tags is None else tags
        tags.append("new")
        self.items.append((name, tags))
        return tags
