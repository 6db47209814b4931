from read_line import read_line

assert read_line("a,b,c\n") == ["a", "b", "c"]
assert read_line('1,"Doe, Jane",x') == ["1", "Doe, Jane", "x"]
assert read_line('"say ""hi""",2') == ['say "hi"', "2"]
assert read_line('"",,') == ["", "", ""]
