import type { Program } from "../program.ts";

/** Programs that inspect or change files. */
export const FILE_ROWS: readonly Program[] = [
  {
    names: ["ls", "dir", "vdir"],
    source: "ls(1)",
    options:
      "-a|--all -A|--almost-all --author -b|--escape --block-size: -B|--ignore-backups -c -C --color? -d|--directory -f -F|--classify? --file-type --format: --full-time -g --group-directories-first -G|--no-group -h|--human-readable --si -H --indicator-style: -i|--inode -I|--ignore: -k|--kibibytes -l -L|--dereference -m -n|--numeric-uid-gid -N|--literal -o -p -q|--hide-control-chars -Q|--quote-name -r|--reverse -R|--recursive -s|--size -S --sort: --time: --time-style: -t -u -U -v -w|--width: -x -X -Z|--context -1",
  },
  {
    names: ["tree"],
    source: "tree(1): the value of a letter is always the next word, as in `tree -Lo 2 file`",
    style: "detached",
    options:
      "-a -d -f -i -l -x -L: -P: -I: --noreport -p -s -h -u -g -D -q -N -Q -F -v -t -c -U -r --dirsfirst --filelimit: -J -n -C --prune --gitignore",
    risks: { write: "-o: -R" },
  },
  {
    names: ["find"],
    source: "find(1)",
    style: "expression",
    options:
      "-H -L -P -name: -iname: -path|-wholename: -ipath|-iwholename: -regex: -iregex: -regextype: -type: -xtype: -size: -mtime: -mmin: -atime: -amin: -ctime: -cmin: -newer: -newermt: -anewer: -cnewer: -samefile: -inum: -links: -perm: -user: -group: -uid: -gid: -nouser -nogroup -readable -writable -executable -empty -true -false -maxdepth: -mindepth: -depth -d -xdev|-mount -follow -daystart -noleaf -prune -quit -print -print0 -ls -printf: -lname: -ilname: -fstype: -not -a|-and -o|-or",
    risks: {
      run: "-exec -execdir -ok -okdir",
      write: "-delete -fprint: -fprint0: -fprintf: -fls:",
      elsewhere: "-files0-from:",
    },
    wraps: { clauses: "-exec -execdir -ok -okdir" },
  },
  {
    names: ["fd", "fdfind"],
    isOne: true,
    source: "fd(1)",
    options:
      "-H|--hidden -I|--no-ignore -s|--case-sensitive -i|--ignore-case -g|--glob -F|--fixed-strings -a|--absolute-path -l|--list-details -L|--follow -p|--full-path -d|--max-depth: --min-depth: -t|--type: -e|--extension: -E|--exclude: -S|--size: -0|--print0 -1 -q|--quiet",
    risks: { run: "-x|--exec: -X|--exec-batch:", elsewhere: "-C|--base-directory:" },
    wraps: { clauses: "-x --exec -X --exec-batch" },
  },
  {
    names: ["stat"],
    source: "stat(1)",
    options: "-L|--dereference -f|--file-system -c|--format: --printf: -t|--terse",
  },
  {
    names: ["readlink"],
    source: "readlink(1)",
    options:
      "-f|--canonicalize -e|--canonicalize-existing -m|--canonicalize-missing -n|--no-newline -q|--quiet -s|--silent -v|--verbose -z|--zero",
  },
  {
    names: ["realpath"],
    source: "realpath(1)",
    options:
      "-e|--canonicalize-existing -m|--canonicalize-missing -L|--logical -P|--physical -q|--quiet --relative-to: --relative-base: -s|--strip|--no-symlinks -z|--zero",
  },
  { names: ["basename"], source: "basename(1)", options: "-a|--multiple -s|--suffix: -z|--zero" },
  { names: ["dirname"], source: "dirname(1)", options: "-z|--zero" },
  {
    names: ["du"],
    source: "du(1)",
    options:
      "-a|--all --apparent-size -b|--bytes -c|--total -d|--max-depth: -h|--human-readable -k -l|--count-links -m -s|--summarize -S|--separate-dirs -x|--one-file-system --exclude: -0|--null",
  },
  {
    names: ["df"],
    source: "df(1)",
    options:
      "-a|--all -h|--human-readable -H|--si -i|--inodes -k -l|--local -P|--portability -t|--type: -T|--print-type -x|--exclude-type: --total",
  },
  {
    names: ["mkdir"],
    source: "mkdir(1)",
    options: "-p|--parents -v|--verbose -m|--mode:",
    operands: "writes",
    effects: ["write"],
  },
  {
    names: ["rmdir"],
    source: "rmdir(1)",
    options: "-p|--parents -v|--verbose --ignore-fail-on-non-empty",
    operands: "writes",
    effects: ["write"],
  },
  {
    names: ["touch"],
    source: "touch(1)",
    options: "-a -c|--no-create -m -d|--date: -t: -h|--no-dereference",
    operands: "writes",
    effects: ["write"],
  },
  {
    names: ["rm"],
    source: "rm(1)",
    options: "-f|--force -i -I -r|-R|--recursive -d|--dir -v|--verbose --one-file-system",
    operands: "writes",
    effects: ["write"],
  },
  { names: ["unlink"], source: "unlink(1)", operands: "writes", effects: ["write"], options: "" },
  {
    names: ["cp"],
    source: "cp(1)",
    copies: true,
    options: "-a|--archive -f|--force -i|--interactive -n|--no-clobber -p -r|-R|--recursive -u|--update -v|--verbose",
    operands: "writes",
    effects: ["write"],
    risks: { write: "-t|--target-directory: -b --backup? -S|--suffix: -l|--link -s|--symbolic-link --parents" },
  },
  {
    names: ["mv"],
    source: "mv(1)",
    options: "-f|--force -i|--interactive -n|--no-clobber -u|--update -v|--verbose",
    operands: "writes",
    effects: ["write"],
    risks: { write: "-t|--target-directory: -b --backup? -S|--suffix:" },
  },
  {
    names: ["tee"],
    source: "tee(1)",
    options: "-a|--append -i|--ignore-interrupts -p --output-error?",
    operands: "writes",
    effects: ["write"],
  },
  {
    names: ["truncate"],
    source: "truncate(1)",
    options: "-c|--no-create -s|--size: -o|--io-blocks",
    operands: "writes",
    effects: ["write"],
  },
  { names: ["ln"], source: "ln(1)", never: "write", options: "-s|--symbolic -f|--force" },
  { names: ["install"], source: "install(1): option --strip-program", never: "write" },
  { names: ["dd"], source: "dd(1): operand of=", never: "write" },
  { names: ["chmod"], source: "chmod(1)", never: "write", options: "-R|--recursive -v|--verbose" },
  { names: ["chown", "chgrp"], source: "chown(1)", never: "write", options: "-R|--recursive" },
  { names: ["shred"], source: "shred(1)", never: "write" },
  { names: ["patch"], source: "patch(1): ed scripts, -o, -d", never: "write" },
  { names: ["ed", "red", "ex"], source: "ed(1): command !", never: "run", hides: "always" },
  {
    names: ["vi", "vim", "nvim", "view", "gvim", "rvim", "vimdiff"],
    isOne: true,
    source: "vim(1): -c, -S, command !",
    never: "run",
    hides: "always",
  },
  {
    names: ["emacs", "emacsclient", "nano", "pico", "joe", "mcedit", "micro"],
    source: "emacs(1): --eval, -l; nano(1)",
    never: "run",
    hides: "always",
  },
  {
    names: ["tar", "bsdtar", "gtar"],
    isOne: true,
    source: "tar(1)",
    options: "-t|--list -f|--file:local -v|--verbose --exclude: --wildcards",
    needs: "-t",
    wraps: {
      lines:
        "--to-command: --checkpoint-action: --use-compress-program|-I: --rsh-command: -F|--info-script|--new-volume-script: --rmt-command:",
    },
    risks: {
      run: "-z|--gzip -j|--bzip2 -J|--xz -a|--auto-compress",
      write: "-x|--extract -c|--create -r|--append -u|--update --delete --index-file: --remove-files",
      elsewhere: "-C|--directory:",
    },
  },
  { names: ["cpio", "pax", "ar"], source: "cpio(1): -F host:file, --rsh-command", never: "write" },
  {
    names: ["unzip"],
    source: "unzip(1)",
    options: "-l -v -Z -t -q",
    needs: "-l -v -Z -t",
    risks: { write: "-d: -o -x" },
  },
  {
    names: ["zip"],
    source: "zip(1): -TT runs a command",
    never: "run",
    style: "words",
    wraps: { lines: "-TT|--unzip-command:" },
  },
  {
    names: [
      "gzip",
      "gunzip",
      "bzip2",
      "bunzip2",
      "xz",
      "unxz",
      "zstd",
      "unzstd",
      "lz4",
      "compress",
      "uncompress",
      "7z",
      "7za",
      "7zr",
    ],
    source: "gzip(1), xz(1): replace their operands",
    never: "write",
    options: "-k -d -f",
  },
  {
    names: ["zcat", "zgrep", "zless", "zmore", "xzcat", "bzcat", "zdiff", "zcmp"],
    source: "zgrep(1): shell scripts that start programs",
    never: "run",
  },
  {
    names: ["rsync"],
    source: "rsync(1): options -e and --rsync-path",
    never: "run",
    wraps: { lines: "-e|--rsh: --rsync-path:" },
  },
  { names: ["mktemp"], source: "mktemp(1)", never: "write" },
  { names: ["mkfifo", "mknod"], source: "mkfifo(1)", never: "write" },
];
