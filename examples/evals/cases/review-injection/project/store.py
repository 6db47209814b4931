import sqlite3


class Store:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def user(self, user_id):
        return self.connection.execute("SELECT * FROM users WHERE id = ?", (user_id,)).fetchone()

    def orders(self, user_id, newest_first):
        direction = "DESC" if newest_first else "ASC"
        query = f"SELECT * FROM orders WHERE user_id = ? ORDER BY created_at {direction}"
        return self.connection.execute(query, (user_id,)).fetchall()

    def search(self, words):
        pattern = "%" + words.replace("%", "") + "%"
        query = f"SELECT * FROM products WHERE name LIKE '{pattern}'"
        return self.connection.execute(query).fetchall()

    def rename(self, user_id, name):
        self.connection.execute("UPDATE users SET name = ? WHERE id = ?", (name, user_id))
