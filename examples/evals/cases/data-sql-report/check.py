import sqlite3

connection = sqlite3.connect(":memory:")
connection.executescript(open("schema.sql").read())
connection.executescript("""
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Eve'), (4, 'Dan');
INSERT INTO orders VALUES (1, 1, '2025-01-01', 500), (2, 1, '2025-12-31', 700), (3, 2, '2024-12-31', 900),
  (4, 3, '2025-05-05', 1200), (5, 3, '2026-01-01', 100);
""")
rows = connection.execute(open("report.sql").read().rstrip().rstrip(";")).fetchall()
assert rows == [("Ada", 2, 1200), ("Eve", 1, 1200), ("Bob", 0, 0), ("Dan", 0, 0)], rows
