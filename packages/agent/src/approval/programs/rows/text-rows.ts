import type { Program } from "../program.ts";

/** Returns one row for several programs that take the same options. */
function eachOf(names: readonly string[], row: Omit<Program, "names">): readonly Program[] {
  return names.map((name) => ({ ...row, names: [name] }));
}

const DIGESTS = ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"];

/** Programs that read text and print it. */
export const TEXT_ROWS: readonly Program[] = [
  {
    names: ["cat"],
    source: "cat(1)",
    options:
      "-A|--show-all -b|--number-nonblank -e -E|--show-ends -n|--number -s|--squeeze-blank -t -T|--show-tabs -u -v|--show-nonprinting",
  },
  { names: ["tac"], source: "tac(1)", options: "-b|--before -r|--regex -s|--separator:" },
  {
    names: ["head"],
    source: "head(1)",
    options: "-c|--bytes: -n|--lines: -q|--quiet|--silent -v|--verbose -z|--zero-terminated -#",
  },
  {
    names: ["tail"],
    source: "tail(1)",
    options: "-f|--follow? -F -c|--bytes: -n|--lines: -q|--quiet|--silent -v|--verbose -z|--zero-terminated -#",
  },
  {
    names: ["wc"],
    source: "wc(1)",
    options: "-c|--bytes -m|--chars -l|--lines -L|--max-line-length -w|--words --total:",
  },
  {
    names: ["nl"],
    source: "nl(1)",
    options:
      "-b|--body-numbering: -n|--number-format: -s|--number-separator: -v|--starting-line-number: -w|--number-width:",
  },
  {
    names: ["sort"],
    source: "sort(1)",
    options:
      "-b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g|--general-numeric-sort -i|--ignore-nonprinting -M|--month-sort -h|--human-numeric-sort -n|--numeric-sort -R|--random-sort -r|--reverse -V|--version-sort -c|-C|--check? -k|--key: -m|--merge -s|--stable -t|--field-separator: -u|--unique -z|--zero-terminated --parallel: --sort:",
    wraps: { lines: "--compress-program:" },
    risks: { write: "-o|--output: -T|--temporary-directory:" },
  },
  {
    names: ["uniq"],
    source: "uniq(1): the second operand is the output file",
    options:
      "-c|--count -d|--repeated -D --all-repeated? -f|--skip-fields: --group? -i|--ignore-case -s|--skip-chars: -u|--unique -w|--check-chars: -z|--zero-terminated",
    operands: "any none",
  },
  {
    names: ["cut"],
    source: "cut(1)",
    options:
      "-b|--bytes: -c|--characters: -d|--delimiter: -f|--fields: -n --complement -s|--only-delimited --output-delimiter: -z|--zero-terminated",
  },
  { names: ["tr"], source: "tr(1)", options: "-c|-C|--complement -d|--delete -s|--squeeze-repeats -t|--truncate-set1" },
  { names: ["paste"], source: "paste(1)", options: "-d|--delimiters: -s|--serial -z|--zero-terminated" },
  {
    names: ["join"],
    source: "join(1)",
    options: "-a: -e: -i|--ignore-case -j: -o: -t: -v: -1: -2: --header -z|--zero-terminated",
  },
  {
    names: ["comm"],
    source: "comm(1)",
    options: "-1 -2 -3 --check-order --nocheck-order --output-delimiter: --total -z|--zero-terminated",
  },
  {
    names: ["column"],
    source: "column(1)",
    options:
      "-t|--table -s|--separator: -o|--output-separator: -c|--output-width: -x|--fillrows -n|--table-name: -N|--table-columns:",
  },
  { names: ["fold"], source: "fold(1)", options: "-b|--bytes -s|--spaces -w|--width:" },
  { names: ["fmt"], source: "fmt(1)", options: "-s|--split-only -u|--uniform-spacing -w|--width: -p|--prefix:" },
  ...eachOf(["expand", "unexpand"], { source: "expand(1), unexpand(1)", options: "-i|--initial -a|--all -t|--tabs:" }),
  { names: ["rev"], source: "rev(1)", options: "" },
  { names: ["tsort"], source: "tsort(1)", options: "" },
  {
    names: ["shuf"],
    source: "shuf(1)",
    options: "-e|--echo -i|--input-range: -n|--head-count: -r|--repeat -z|--zero-terminated",
    risks: { write: "-o|--output:" },
  },
  {
    names: ["split"],
    source: "split(1)",
    options: "",
    operands: "none",
    wraps: { lines: "--filter:" },
    risks: { write: "-a: -b|--bytes: -l|--lines: -n|--number:" },
    never: "write",
  },
  { names: ["csplit"], source: "csplit(1)", never: "write" },
  ...eachOf(["grep", "egrep", "fgrep"], {
    source: "grep(1)",
    options:
      "-E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp -e|--regexp: -f|--file: -i|--ignore-case --no-ignore-case -v|--invert-match -w|--word-regexp -x|--line-regexp -c|--count --color|--colour? -L|--files-without-match -l|--files-with-matches -m|--max-count: -o|--only-matching -q|--quiet|--silent -s|--no-messages -b|--byte-offset -H|--with-filename -h|--no-filename -n|--line-number -T|--initial-tab -Z|--null -z|--null-data -A|--after-context: -B|--before-context: -C|--context: -# -a|--text --binary-files: -I -r|--recursive -R|--dereference-recursive --exclude: --exclude-from: --exclude-dir: --include: --line-buffered",
  }),
  {
    names: ["rg"],
    source: "rg(1)",
    options:
      "-A|--after-context: -B|--before-context: -C|--context: -c|--count --count-matches --color: --column -E|--encoding: -e|--regexp: -f|--file: -F|--fixed-strings -g|--glob: --iglob: --heading --no-heading --hidden -. -i|--ignore-case -S|--smart-case -s|--case-sensitive -l|--files-with-matches --files-without-match --files --json -L|--follow -m|--max-count: --max-depth|--maxdepth: -d: -n|--line-number -N|--no-line-number --no-filename -I -H|--with-filename --no-ignore --no-config -o|--only-matching -P|--pcre2 -p|--pretty -q|--quiet -r|--replace: --sort: --sortr: -t|--type: -T|--type-not: --type-list --trim -U|--multiline --multiline-dotall -u|--unrestricted -v|--invert-match --vimgrep -w|--word-regexp -x|--line-regexp -0|--null -a|--text --stats --passthru -M|--max-columns: --no-messages --line-buffered",
    wraps: { lines: "--pre: --hostname-bin:" },
    risks: { run: "--pre-glob: -z|--search-zip" },
  },
  {
    names: ["sed"],
    source: "sed(1); GNU sed manual, 3.8 Commands Specific to GNU sed",
    options:
      "-n|--quiet|--silent -E|-r|--regexp-extended -e|--expression:sed -s|--separate -u|--unbuffered -z|--null-data --posix --sandbox",
    operands: "sed any",
    risks: { run: "-f|--file:", write: "-i|--in-place?" },
    hides: "sed",
  },
  {
    names: ["awk", "gawk", "mawk", "nawk", "original-awk"],
    isOne: true,
    source: "gawk(1), mawk(1): system(), I/O statements, options -f, -l, -i, -d, -o, -p and -W",
    options: "-F: -v:",
    operands: "awk any",
    stops: true,
    risks: {
      run: "-f|--file: -l|--load: -i|--include: -e|--source: -E|--exec: -W: -D|--debug?",
      write: "-d|--dump-variables? -o|--pretty-print? -p|--profile?",
    },
    hides: "code",
  },
  {
    names: ["jq"],
    source: "jq(1)",
    options:
      "-r|--raw-output -j|--join-output -a|--ascii-output -c|--compact-output -C|--color-output -M|--monochrome-output -e|--exit-status -n|--null-input -R|--raw-input -s|--slurp -S|--sort-keys --tab --unbuffered --indent: --arg: --argjson: --slurpfile: --rawfile: --args --jsonargs -f|--from-file:",
  },
  {
    names: ["diff"],
    source: "diff(1)",
    options:
      "-q|--brief -s|--report-identical-files -c -C|--context? -u -U: --unified? -e|--ed -n|--rcs -y|--side-by-side -W|--width: --left-column --suppress-common-lines -p|--show-c-function -t|--expand-tabs -T|--initial-tab -r|--recursive --no-dereference -N|--new-file -x|--exclude: -X|--exclude-from: -i|--ignore-case -E|--ignore-tab-expansion -b|--ignore-space-change -w|--ignore-all-space -B|--ignore-blank-lines -a|--text -d|--minimal --color? --strip-trailing-cr",
    risks: { run: "-l|--paginate" },
  },
  {
    names: ["cmp"],
    source: "cmp(1)",
    options: "-b|--print-bytes -i|--ignore-initial: -l|--verbose -n|--bytes: -s|--quiet|--silent",
  },
  ...eachOf(DIGESTS, {
    source: "md5sum(1), sha256sum(1), b2sum(1)",
    options: "-b|--binary -c|--check --tag -t|--text -z|--zero --ignore-missing --quiet --status --strict -w|--warn",
  }),
  ...eachOf(["cksum", "sum"], { source: "cksum(1), sum(1)", options: "" }),
  ...eachOf(["base64", "base32"], { source: "base64(1)", options: "-d|--decode -i|--ignore-garbage -w|--wrap:" }),
  {
    names: ["od"],
    source: "od(1)",
    options:
      "-A|--address-radix: -j|--skip-bytes: -N|--read-bytes: -t|--format: -v|--output-duplicates -w|--width? -a -b -c -d -f -i -l -o -s -x",
  },
  { names: ["hexdump", "hd"], isOne: true, source: "hexdump(1)", options: "-b -c -C -d -n: -o -s: -v -x" },
  {
    names: ["xxd"],
    source: "xxd(1): the second operand is the output file",
    options: "-a -b -c: -e -g: -i -l: -o: -p -ps -r -s: -u -E",
    operands: "any none",
    style: "words",
    // In `xxd`, every word after the first operand names an output file, even a word that looks like an option.
    stops: true,
  },
  { names: ["strings"], source: "strings(1)", options: "-a|--all -n|--bytes: -t|--radix: -f|--print-file-name -#" },
  {
    names: ["file"],
    source: "file(1)",
    options:
      "-b|--brief -i|--mime --mime-type --mime-encoding -L|--dereference -h|--no-dereference -k|--keep-going -N|--no-pad -0|--print0 -r|--raw",
    risks: { write: "-C|--compile", run: "-z|--uncompress -Z|--uncompress-noreport -m|--magic-file:" },
  },
  ...eachOf(["less", "more", "most", "pg"], {
    source: "less(1): commands, LESSOPEN, -o, +cmd",
    never: "run",
    options: "",
  }),
];
