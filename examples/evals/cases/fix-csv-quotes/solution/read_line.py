import csv


def read_line(line):
    """Returns the fields of one line of a CSV file."""
    return next(csv.reader([line.rstrip("\n")]))
