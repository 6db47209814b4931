// @ts-check
import { all, before, CANARY, OUTSIDE } from "./fragment.mjs";

/** @import { Scenario } from "./fragment.mjs" */

/** @type {Scenario["writes"]} */
const GIT_INDEX = [/^\/tmp\/w\/\.git\/index(?:\.lock)?$/];
const GIT_DATA = [/^\/tmp\/w\/\.git\/(?!hooks\/|config|info\/attributes)/];
const GIT_PARTS = [/\/git(?:-core\/git[\w-]*)?$/];
const GIT_FIRST = before(
  "run",
  ["-c", `alias.status=!${CANARY}`, "-c", `core.fsmonitor=${CANARY}`, "status"],
  ["-c", `core.fsmonitor=${CANARY}`, "status"],
  [`--exec-path=/tmp/canary`, "probe"],
  ["-C", "evil", "status"],
  ["--git-dir=evil/.git", "--work-tree=evil", "status"],
);

/** Rules about git. */
/** @type {readonly Scenario[]} */
export const GIT_SCENARIOS = [
  {
    rule: "git *",
    words: ["git", "log"],
    good: [["--oneline"], ["-2"], ["--format=%H"], ["--stat"], ["-p"], ["--graph"], ["--", "a.txt"]],
    bad: [...all("write", [`--output=${OUTSIDE}`, "-p"], ["-p", "--output", OUTSIDE]), ...GIT_FIRST],
    writes: GIT_INDEX,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "diff"],
    good: [["--stat"], ["--name-only"], ["HEAD"], ["-U1"], ["--word-diff"], ["--no-ext-diff"]],
    bad: [...all("write", [`--output=${OUTSIDE}`]), ...GIT_FIRST],
    writes: GIT_INDEX,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "grep", "one"],
    good: [["-n"], ["-i"], ["-l"], ["--", "a.txt"]],
    bad: before(
      "run",
      ["grep", `-O${CANARY}`, "one"],
      ["grep", `--open-files-in-pager=${CANARY}`, "one"],
      ["grep", `--open-files=${CANARY}`, "one"],
    ),
    writes: GIT_INDEX,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "status"],
    good: [["--short"], ["-b"], ["--porcelain=v2"], ["-uno"]],
    bad: GIT_FIRST,
    writes: GIT_INDEX,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "commit", "-am", "message"],
    good: [["-q"], ["--no-verify"], ["--signoff"], ["--allow-empty"]],
    bad: [...all("run", ["--edit"], ["-e"]), ...before("run", ["-c", `core.editor=${CANARY}`, "commit", "-a"])],
    writes: GIT_DATA,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "add", "-A"],
    good: [["-v"], ["."], ["--dry-run"]],
    bad: GIT_FIRST,
    writes: GIT_DATA,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "branch"],
    good: [["-a"], ["-v"], ["--list"], ["topic"]],
    bad: all("run", "--edit-description"),
    writes: GIT_DATA,
    runs: GIT_PARTS,
  },
  {
    rule: "git *",
    words: ["git", "rev-parse", "HEAD"],
    good: [["--short"], ["--verify"]],
    bad: [
      ...before(
        "run",
        ["rebase", "--autostash", "--exec", CANARY, "HEAD~1"],
        ["bisect", "run", CANARY],
        ["difftool", "-y", "-x", CANARY],
        ["filter-branch", "-f", "--msg-filter", CANARY],
        ["send-pack", `--receive-pack=${CANARY}`, "/tmp/w"],
        ["fetch", `--upload-pack=${CANARY}`, "/tmp/w"],
        ["ls-remote", `--upload-pack=${CANARY}`, "/tmp/w"],
        ["submodule", "foreach", CANARY],
      ),
      ...before(
        "write",
        ["archive", `--output=${OUTSIDE}`, "HEAD"],
        ["init", "/tmp/outside/r"],
        ["config", "core.pager", CANARY],
        ["format-patch", "-o", "/tmp/outside", "HEAD~1"],
        ["bundle", "create", OUTSIDE, "HEAD"],
        ["worktree", "add", "/tmp/outside/t"],
        ["clone", ".", "/tmp/outside/c"],
      ),
      ...before(
        "connect",
        ["push", "git://127.0.0.1:9/x", "main"],
        ["ls-remote", "git://127.0.0.1:9/x"],
        ["clone", "git://127.0.0.1:9/x", "y"],
      ),
    ],
    runs: GIT_PARTS,
  },
];
