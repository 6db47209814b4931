// @ts-check
import { seededCase } from "@switchyard/suite/seeded-random";

/**
 * A generated repository and the actions of a run, as shell scripts with one character per byte (`latin1`). They call
 * the functions of `script-functions.mjs`.
 * @typedef {object} GeneratedCase
 * @property {string} setUp Makes the workspace, in an empty folder.
 * @property {string} agent What the run does.
 * @property {string} user What the user does between the run and `undo`; empty in most cases.
 * @property {boolean} commits Whether branches and the index are restored too.
 * @property {string} folder Workspace, relative to the top folder of the repository.
 */

const ATTRIBUTES = [
  "*.bin filter=lfs diff=lfs merge=lfs -text",
  "*.bin filter=absent -text",
  "*.txt filter=up",
  "* text=auto",
  "*.txt text eol=crlf",
  "*.txt eol=lf",
  "*.txt ident",
  "*.bin working-tree-encoding=UTF-16LE",
  "*.txt binary",
  "*.txt -diff",
  "*.bin diff",
  "*.txt export-subst",
  "*.txt merge=ours whitespace=trailing-space",
];
const SETTINGS = [
  "core.autocrlf true",
  "core.autocrlf input",
  "core.fileMode false",
  "core.ignoreCase true",
  "core.symlinks false",
  "index.version 4",
  "core.quotePath false",
];
const FOLDERS = ["", "", "", "d/", "d/e/", "with space/", "inner/", "plain/"];
/** One character per byte, because some names are not UTF-8. */
const NAMES = [
  "a.txt",
  "b.txt",
  "B.txt",
  "c.bin",
  "gr\xfcn.txt",
  "n\nl.txt",
  'q"uote.bin',
  ":(top)m.txt",
  "-dash.txt",
  "t\tab.bin",
  "\xc3\xbc.txt",
  "back\\slash.bin",
  "*.txt",
];
const CONTENTS = [
  "one\\ntwo\\nthree\\n",
  "one\\r\\ntwo\\r\\n",
  "x",
  "",
  "\\000\\001\\377",
  "h\\000i\\000\\n\\000",
  "/* $Id$ */\\nabc\\n",
  "mixed\\r\\nends\\n",
  "gr\\374n\\n",
];
const MODES = ["644", "755", "600", "640", "444", "700", "664"];

/**
 * Generates a case. The same seed and number give the same case.
 * @param {number} seed
 * @param {number} index
 * @returns {GeneratedCase}
 */
export function generateCase(seed, index) {
  const random = seededCase(seed, index);
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error("there is nothing to pick");
    return found;
  };
  /** @param {number} share */
  const chance = (share) => random() < share;
  const path = () => quote(`${pick(FOLDERS)}${pick(NAMES)}`);
  const isRepository = chance(0.85);
  const setUp = [
    ...(isRepository ? ["make_repository"] : []),
    ...times(isRepository ? Math.floor(random() * 3) : 0, () => `configure ${pick(SETTINGS)}`),
    ...(chance(0.7)
      ? [
          `printf '%s\\n' ${times(1 + Math.floor(random() * 3), () => quote(pick(ATTRIBUTES))).join(" ")} > .gitattributes`,
        ]
      : []),
    ...(chance(0.4)
      ? ["printf '*.log\\nignored/\\n' > .gitignore; mkdir ignored; echo i > ignored/i; echo l > l.log"]
      : []),
    ...(chance(0.35) ? [innerRepository("inner", chance(0.6))] : []),
    ...(isRepository && chance(0.12) ? ["add_submodule"] : []),
    ...times(3 + Math.floor(random() * 5), () => writeFile(path(), pick(CONTENTS), pick(MODES))),
    ...(chance(0.3) ? [`mkdir -p empty/deep; chmod ${pick(["755", "700", "750"])} empty`] : []),
    ...(chance(0.4) ? ["ln -s nowhere dangling; mkdir -p d; ln -s d link"] : []),
    ...(isRepository && chance(0.85)
      ? ["git add -A 2>/dev/null || git add -A -- ':(exclude)inner' || true; git commit -qm one --allow-empty"]
      : []),
    ...(isRepository && chance(0.3) ? ["git tag old; git branch side"] : []),
    ...(isRepository && chance(0.3)
      ? [`${writeFile(path(), pick(CONTENTS), "644")}; git add -A -- . ':(exclude)inner' 2>/dev/null || true`]
      : []),
    ...(isRepository && chance(0.2)
      ? [
          `git ls-files -z | head -z -n 2 | git update-index -z ${pick(["--assume-unchanged", "--skip-worktree"])} --stdin`,
        ]
      : []),
    ...(isRepository && chance(0.1) ? ["git sparse-checkout set --no-cone '/*' '!/d/' 2>/dev/null || true"] : []),
    ...times(chance(0.3) ? 1 : 0, () => writeFile(path(), pick(CONTENTS), pick(MODES))),
  ];
  const step = () => agentStep({ random, pick, path, isRepository });
  return {
    setUp: setUp.join("\n"),
    agent: times(1 + Math.floor(random() * 6), step).join("\n"),
    user: chance(0.1) ? writeFile(path(), pick(CONTENTS), "644") : "",
    commits: isRepository && chance(0.5),
    folder: isRepository && chance(0.1) ? "d" : "",
  };
}

/**
 * @typedef {object} Chooser
 * @property {() => number} random
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {() => string} path
 * @property {boolean} isRepository
 */

/**
 * Returns one step of a run. Impossible steps, such as removing a missing file, do nothing.
 * @param {Chooser} chooser
 * @returns {string}
 */
function agentStep({ random, pick, path, isRepository }) {
  const [file, other] = [path(), path()];
  const steps = [
    () => `f=${file}; [ -d "$f" ] || { make_parent "$f" && printf 'more\\n' >> "./$f"; }`,
    () => writeFile(file, pick(CONTENTS), pick(MODES)),
    () => `remove ${file}`,
    () => `f=${file}; [ ! -f "$f" ] || { rm -f -- "$f"; mkdir -p -- "$f"; echo in > "./$f/in"; }`,
    () => `f=${file}; [ -d "$f" ] || [ ! -e "$f" ] || { rm -f -- "$f"; ln -s target -- "$f"; }`,
    () => `f=${file}; o=${other}; [ ! -e "$f" ] || [ -e "$o" ] || { make_parent "$o"; mv -f -- "$f" "$o"; }`,
    () => `f=${file}; [ ! -f "$f" ] || [ -L "$f" ] || chmod ${pick(MODES)} -- "$f"`,
    () => "rm -rf d",
    () => "[ ! -L link ] || { rm link; mkdir link; echo l > link/l; }",
    () => "[ ! -e dangling ] && [ ! -L dangling ] || { rm -f dangling; echo file > dangling; }",
    () => "mkdir -p new/empty; rmdir empty/deep 2>/dev/null || true",
    () => "[ ! -d inner ] || { echo more >> inner/b; echo n > inner/new; }",
    () => "[ ! -d lib/.. ] || [ ! -e lib/s ] || echo more >> lib/s",
    () => "[ ! -d ignored ] || echo x > ignored/i",
    () => innerRepository(`made${Math.floor(random() * 3)}`, random() < 0.5),
    () => "mkfifo pipe 2>/dev/null || true",
    ...(isRepository
      ? [
          () => "git add -A 2>/dev/null || true",
          () => "git add -A 2>/dev/null || true; git commit -qm agent --allow-empty",
          () => "git checkout -q -b feature 2>/dev/null || true",
          () =>
            "git tag new 2>/dev/null || true; git branch -D side 2>/dev/null || true; git tag -d old 2>/dev/null || true",
          () => "git stash -q 2>/dev/null || true",
          () => "git reset -q --hard 2>/dev/null || true",
          () => "printf '* -text\\n*.txt eol=crlf\\n' >> .gitattributes",
          () => "git status >/dev/null 2>&1 || true",
        ]
      : []),
  ];
  return `{ ${pick(steps)()}; } || true`;
}

/**
 * @param {string} folder
 * @param {boolean} hasCommit
 * @returns {string}
 */
function innerRepository(folder, hasCommit) {
  return `make_inner ${folder} ${hasCommit ? "committed" : "empty"}`;
}

/**
 * @param {string} file
 * @param {string} content
 * @param {string} mode
 * @returns {string}
 */
function writeFile(file, content, mode) {
  return `write_file ${file} ${quote(content)} ${mode}`;
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * @template T
 * @param {number} count
 * @param {() => T} make
 * @returns {T[]}
 */
function times(count, make) {
  return Array.from({ length: count }, make);
}
