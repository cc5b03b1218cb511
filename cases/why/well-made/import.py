"""Imports a table of 5000 rows in one transaction."""

import csv
import sqlite3

base = sqlite3.connect("imported.db")
with base, open("rows.csv", newline="") as file:
    base.execute("CREATE TABLE IF NOT EXISTS rows (id, name, number)")
    base.executemany("INSERT INTO rows VALUES (?, ?, ?)", csv.reader(file))
print(base.execute("SELECT count(*) FROM rows").fetchone()[0] > 0)
