// @ts-check
import { all, before, CANARY, OUTSIDE } from "./fragment.mjs";
import { GIT_SCENARIOS } from "./git-scenarios.mjs";

/** @import { Fragment, Scenario } from "./fragment.mjs" */

const ANYWHERE_INSIDE = [/^\/tmp\/w\/(?!\.envrc|\.git\/hooks|\.vscode|\.husky)/];

/** All rules for which cases are composed. @type {readonly Scenario[]} */
export const SCENARIOS = [
  ...GIT_SCENARIOS,
  {
    rule: "sort",
    words: ["sort"],
    good: [["-n"], ["-r"], ["-u"], ["-k", "2"], ["-t:"], ["a.txt"], ["b.txt"]],
    bad: [
      ...all(
        "write",
        ["-o", OUTSIDE, "a.txt"],
        [`-no${OUTSIDE}`, "a.txt"],
        [`--output=${OUTSIDE}`, "a.txt"],
        ["a.txt", "--output", OUTSIDE],
      ),
      ...all("run", [`--compress-program=${CANARY}`, "-S", "1K", "big.txt"]),
    ],
  },
  { rule: "uniq *", words: ["uniq", "a.txt"], good: [["-c"], ["-d"], ["-i"]], bad: all("write", OUTSIDE) },
  { rule: "cat *", words: ["cat", "a.txt"], good: [["-n"], ["b.txt"], ["-A"]], bad: [] },
  { rule: "head *", words: ["head", "a.txt"], good: [["-2"], ["-n", "1"], ["-c", "3"]], bad: [] },
  { rule: "wc *", words: ["wc", "a.txt"], good: [["-l"], ["-w"], ["b.txt"]], bad: [] },
  { rule: "ls *", words: ["ls", "-la"], good: [["."], ["-R"], ["--color=auto"]], bad: [] },
  { rule: "cut *", words: ["cut", "-d:", "-f1", "a.txt"], good: [["-s"], ["b.txt"]], bad: [] },
  {
    rule: "shuf *",
    words: ["shuf", "a.txt"],
    good: [["-n", "1"], ["-z"]],
    bad: all("write", ["-o", OUTSIDE], [`--output=${OUTSIDE}`], [`-zo${OUTSIDE}`]),
  },
  {
    rule: "xxd *",
    words: ["xxd", "-p"],
    good: [["a.txt"], ["-l", "4", "a.txt"]],
    bad: all("write", ["a.txt", OUTSIDE], ["a.txt", "-x"]),
  },
  { rule: "date *", words: ["date", "+%F"], good: [["-u"], ["-d", "yesterday"]], bad: [] },
  { rule: "base64 *", words: ["base64", "a.txt"], good: [["-w0"]], bad: [] },
  {
    rule: "diff *",
    words: ["diff", "a.txt", "b.txt"],
    good: [["-u"], ["-q"], ["-w"]],
    bad: all("run", "--paginate", "-l"),
  },
  { rule: "grep *", words: ["grep", "one", "a.txt"], good: [["-n"], ["-i"], ["-c"], ["-r"]], bad: [] },
  {
    rule: "rg *",
    words: ["rg", "one", "a.txt"],
    good: [["-n"], ["-i"], ["-g*.txt"], ["--hidden"]],
    bad: all("run", [`--pre=${CANARY}`], ["--pre", CANARY], ["--pre-glob=*", "--pre", CANARY]),
  },
  {
    rule: "find *",
    words: ["find", "."],
    good: [["-name", "*.txt"], ["-type", "f"], ["-maxdepth", "1"], ["-mtime", "-7"], ["-print0"]],
    bad: [
      ...all(
        "write",
        "-delete",
        ["-fprint", OUTSIDE],
        ["-fprintf", OUTSIDE, "%p"],
        ["-fls", OUTSIDE],
        ["-fprint0", OUTSIDE],
      ),
      ...all("run", ["-exec", CANARY, "{}", "+"], ["-exec", CANARY, ";"], ["-execdir", CANARY, ";"]),
    ],
  },
  {
    rule: "sed *",
    words: ["sed", "-n"],
    good: [
      ["1,2p", "a.txt"],
      ["s/one/1/p", "a.txt"],
      ["-e", "$p", "a.txt"],
      ["/t/p;$d", "a.txt"],
      ["s|o|0|g", "b.txt"],
    ],
    bad: [
      ...all(
        "write",
        ["-i", "s/o/0/", "a.txt"],
        ["--in-place=.bak", "s/o/0/", "a.txt"],
        [`w ${OUTSIDE}`, "a.txt"],
        [`s/o/0/w ${OUTSIDE}`, "a.txt"],
        ["-e", `1w ${OUTSIDE}`, "a.txt"],
        [`1p;w ${OUTSIDE}`, "a.txt"],
        ["--in-pl", "s/o/0/", "a.txt"],
        ["-ni", "p", "a.txt"],
      ),
      ...all(
        "run",
        [`1e ${CANARY}`, "a.txt"],
        [`s#.*#${CANARY}#e`, "a.txt"],
        ["-e", `e ${CANARY}`, "a.txt"],
        ["-f", "evil.sed", "a.txt"],
        [`p;1e ${CANARY}`, "a.txt"],
      ),
    ],
  },
  {
    rule: "awk *",
    words: ["awk"],
    needsGood: true,
    good: [
      ["{print $1}", "a.txt"],
      ["-F:", "{print $1}", "a.txt"],
      ["-v", "x=1", "NR==1", "a.txt"],
      ["END{print NR}", "a.txt", "b.txt"],
    ],
    bad: [
      ...all("write", [`{print > "${OUTSIDE}"}`, "a.txt"], [`BEGIN{printf "x" >> "${OUTSIDE}"}`]),
      ...all(
        "run",
        [`BEGIN{system("${CANARY}")}`],
        [`BEGIN{"${CANARY}" | getline}`],
        [`BEGIN{print 1 | "${CANARY}"}`],
        ["-f", "evil.awk"],
        ["-fevil.awk"],
      ),
    ],
  },
  {
    rule: "tar *",
    words: ["tar", "-tf", "x.tar"],
    good: [["-v"], ["--exclude=b"]],
    bad: [
      ...before("run", ["-xf", "x.tar", `--to-command=${CANARY}`]),
      ...all(
        "run",
        ["--checkpoint=1", `--checkpoint-action=exec=${CANARY}`],
        [`--use-compress-program=${CANARY}`],
        ["-I", CANARY],
        [`--use-comp=${CANARY}`],
      ),
      ...before("write", ["-xf", "x.tar"], ["-cf", OUTSIDE, "a.txt"]),
    ],
  },
  { rule: "jq *", words: ["jq", "."], good: [["x.json"], ["-r", "x.json"], ["-c", "x.json"]], bad: [] },
  {
    rule: "file *",
    words: ["file", "a.txt"],
    good: [["-b"], ["--mime-type"]],
    bad: before("write", ["-C", "-m", "magic"]),
  },
  {
    rule: "mkdir *",
    words: ["mkdir", "new"],
    good: [["-p"], ["other/deep"]],
    bad: all("write", "/tmp/outside/d", "../outside/d", "out/d"),
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "touch *",
    words: ["touch", "new"],
    good: [["-c"], ["a.txt"]],
    bad: all("write", OUTSIDE, "../outside/f", "out/f", ".envrc"),
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "rm *",
    words: ["rm", "-f", "b.txt"],
    good: [["-v"], ["-r"], ["sub"]],
    bad: all("write", "/tmp/outside/keep", "out/keep", "../outside/keep"),
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "cp *",
    words: ["cp", "a.txt"],
    good: [["c.txt"], ["-f", "b.txt"], ["sub"]],
    bad: all(
      "write",
      OUTSIDE,
      "out",
      ["-t", "/tmp/outside"],
      ["--target-directory=/tmp/outside"],
      ["--target=/tmp/outside"],
      ".envrc",
      ".vscode",
      ".git/hooks/pre-commit",
    ),
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "mv *",
    words: ["mv", "a.txt"],
    good: [["c.txt"], ["sub"]],
    bad: all("write", OUTSIDE, "out", ["-t", "/tmp/outside"], ".envrc"),
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "tee *",
    words: ["tee", "c.txt"],
    good: [["-a"], ["d.txt"]],
    bad: all("write", OUTSIDE, "out/f", ".envrc"),
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "make *",
    words: ["make", "all"],
    good: [["-k"], ["-j2"], ["-s"]],
    bad: all(
      "run",
      [`SHELL=${CANARY}`],
      [`--eval=$(shell ${CANARY})`],
      ["-f", "evil.mk"],
      ["-C", "evil"],
      ["--mak=evil.mk"],
    ),
    runs: [/\/(?:sh|dash|echo|true)$/],
    writes: ANYWHERE_INSIDE,
  },
  {
    rule: "npm test",
    words: ["npm", "test"],
    good: [["--silent"], ["--", "x"]],
    bad: all(
      "run",
      [`--script-shell=${CANARY}`],
      ["--script-shell", CANARY],
      ["--prefix", "evil"],
      [`--node-options=--require=/tmp/canary/run.cjs`],
      [`-script-shell=${CANARY}`],
      [`--script-sh=${CANARY}`],
    ),
    runs: [/\/(?:node|npm|npm-cli\.js|sh|dash|env|git)$/],
    writes: [/^\/tmp\/home\//],
  },
  {
    rule: "/usr/bin/python3 ok.py *",
    words: ["/usr/bin/python3", "ok.py"],
    needsGood: true,
    good: [["x"], ["--y"]],
    bad: [],
    runs: [/python[\d.]*$/],
    writes: [/__pycache__/],
  },
  {
    rule: "node *",
    words: ["node", "--version"],
    good: [],
    bad: before(
      "run",
      ["-e", `require("child_process").execFileSync("${CANARY}")`],
      ["evil.js"],
      ["-r", "/tmp/canary/run.cjs", "ok.js"],
    ),
    runs: [/\/node$/],
  },
  {
    rule: "/usr/bin/python3 *",
    words: ["/usr/bin/python3", "--version"],
    good: [],
    bad: before("run", ["-c", `import os;os.system("${CANARY}")`], ["evil.py"]),
    runs: [/python[\d.]*$/],
  },
  {
    rule: "perl *",
    words: ["perl", "-v"],
    good: [],
    bad: before("run", ["-e", `system("${CANARY}")`], ["evil.pl"], ["-ne", `system("${CANARY}")`, "a.txt"]),
  },
  {
    rule: "bash *",
    words: ["bash", "--version"],
    good: [],
    bad: before("run", ["-c", CANARY], ["evil.sh"], ["-lc", CANARY], ["-ec", CANARY]),
  },
  ...wrappers(
    ["env"],
    ["timeout", "5"],
    ["nice"],
    ["nice", "-n", "5"],
    ["nohup"],
    ["setsid"],
    ["stdbuf", "-o0"],
    ["xargs"],
    ["flock", "a.txt"],
    ["ionice"],
  ),
  never(
    "busybox *",
    ["busybox"],
    [...all("run", ["sh", "-c", CANARY]), ...all("write", ["sort", "-o", OUTSIDE, "a.txt"])],
  ),
  never("split *", ["split"], all("run", [`--filter=${CANARY}`, "a.txt"])),
  never("zip *", ["zip", "-q"], all("run", ["x.zip", "a.txt", "-T", "-TT", `${CANARY} #`])),
  never("dd *", ["dd"], all("write", ["if=a.txt", `of=${OUTSIDE}`])),
  never("ln *", ["ln"], all("write", ["-s", "/tmp/outside", "l"], ["a.txt", OUTSIDE])),
  never("install *", ["install"], all("write", ["a.txt", OUTSIDE])),
  never("ssh *", ["ssh"], all("run", ["-o", `ProxyCommand=${CANARY}`, "host"])),
  never("wget *", ["wget"], all("connect", ["-T1", "-t1", "http://127.0.0.1:9/"])),
  never("gdb *", ["gdb", "-batch"], all("run", ["-ex", `shell ${CANARY}`])),
  never("script *", ["script", "-q"], all("run", ["-c", CANARY, "/dev/null"])),
  never("unzip *", ["unzip", "-o"], all("write", ["x.zip", "-d", "/tmp/outside"])),
  never("truncate *", ["truncate"], all("write", ["-s0", OUTSIDE])),
  {
    rule: "vim *",
    words: ["vim", "--version"],
    isNever: true,
    good: [],
    bad: before("run", ["-es", "-c", `!${CANARY}`, "-c", "q!"]),
  },
];

/**
 * @param {string} rule
 * @param {readonly string[]} words
 * @param {readonly Fragment[]} bad
 * @returns {Scenario}
 */
function never(rule, words, bad) {
  return { rule, words, good: [], bad, isNever: true };
}

/**
 * Returns rules for programs that run other programs, whose commands are not covered.
 * @param {...(readonly string[])} commands
 * @returns {Scenario[]}
 */
function wrappers(...commands) {
  return commands.map((words) => ({
    rule: `${words[0]} *`,
    words,
    good: [],
    isNever: true,
    bad: all("run", [CANARY], ["sh", "-c", CANARY], ["env", CANARY], ["sort", "-o", OUTSIDE, "a.txt"]),
  }));
}
