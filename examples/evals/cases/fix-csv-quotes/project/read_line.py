def read_line(line):
    """Returns the fields of one line of a CSV file."""
    return line.rstrip("\n").split(",")
