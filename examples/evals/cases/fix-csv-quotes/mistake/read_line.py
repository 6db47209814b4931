import re


def read_line(line):
    """Returns the fields of one line of a CSV file. Doubled quotes are not supported."""
    fields = re.findall(r'"([^"]*)"|([^,]*)', line.rstrip("\n"))
    return [quoted or plain for quoted, plain in fields]
