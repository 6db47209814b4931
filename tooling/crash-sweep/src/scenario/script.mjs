// @ts-check

/**
 * One call of the script, and how the model finds out whether it took effect when nobody knows.
 * @typedef {object} ScriptedCall
 * @property {string} tool Name of the tool.
 * @property {(attempt: number) => Readonly<Record<string, unknown>>} argumentsOf What it is called with.
 * @property {{ tool: string, arguments: Readonly<Record<string, unknown>>, isDone: (found: string) => boolean }} check A
 *   readonly call, and what its result says.
 */

/** Where commands find the ledger. */
export const LEDGER_VARIABLE = "SWEEP_LEDGER";
/** The readonly tool that counts an operation's entries in the ledger. */
export const COUNT_TOOL = "count_effects";
/** What the user asks for. */
export const TASK = "Do all the steps, each of them once.";
/** What the model says when all is done. */
export const LAST_WORDS = "All steps are done.";

/** The workspace before the run. */
export const WORKSPACE = {
  "config.json": '{\n  "level": 1,\n  "name": "old"\n}\n',
  "obsolete.txt": "nobody needs this\n",
  "log.txt": "begin\n",
  "plan.md": "No plan yet.\n",
  "summary.md": "No summary yet.\n",
};

/**
 * The session: twelve rounds with edits that are no harm when repeated, edits that are, and effects outside of the
 * workspace.
 * @type {readonly (readonly ScriptedCall[])[]}
 */
export const SCRIPT = [
  [write("plan.md", "1. configure\n2. build\n")],
  [effect("op-01")],
  [effect("op-02"), effect("op-03"), look("config.json")],
  [edit("config.json", { from: '"level": 1', to: '"level": 2' })],
  [patch("config.json", { update: ['-  "name": "old"', '+  "name": "new"'] })],
  [effect("op-04", "printf 'built\\n' >> log.txt")],
  [write("src/main.txt", "main\n"), effect("op-05")],
  [edit("src/main.txt", { from: "main", to: "main, edited" })],
  [patch("obsolete.txt", {})],
  [effect("op-06", "printf 'tested\\n' >> log.txt")],
  [effect("op-07"), effect("op-08")],
  [write("summary.md", "Everything is done.\n"), look("log.txt")],
];

/**
 * A command that leaves one line in the ledger, and may do more.
 * @param {string} operation
 * @param {string} [more]
 * @returns {ScriptedCall}
 */
function effect(operation, more) {
  return {
    tool: "shell",
    argumentsOf: (attempt) => {
      const append = `: effect ${operation} ${attempt}; echo "${operation} ${attempt} $$" >> "$${LEDGER_VARIABLE}"`;
      return { command: more === undefined ? append : `${append}; ${more}` };
    },
    check: { tool: COUNT_TOOL, arguments: { operation }, isDone: (found) => !found.startsWith("0 ") },
  };
}

/**
 * @param {string} path
 * @param {string} content
 * @returns {ScriptedCall}
 */
function write(path, content) {
  return {
    tool: "write_file",
    argumentsOf: () => ({ file_path: path, content }),
    check: reading(path, (found) => found.includes(content.split("\n")[0] ?? "")),
  };
}

/**
 * @param {string} path
 * @returns {ScriptedCall}
 */
function look(path) {
  return { tool: "read_file", argumentsOf: () => ({ file_path: path }), check: reading(path, () => false) };
}

/**
 * @param {string} path
 * @param {{ from: string, to: string }} change
 * @returns {ScriptedCall}
 */
function edit(path, { from, to }) {
  return {
    tool: "edit_file",
    argumentsOf: () => ({ file_path: path, old_string: from, new_string: to }),
    check: reading(path, (found) => found.includes(to)),
  };
}

/**
 * An update by these lines; without any, the file is deleted.
 * @param {string} path
 * @param {{ update?: readonly string[] }} change
 * @returns {ScriptedCall}
 */
function patch(path, { update }) {
  const body = update === undefined ? [`*** Delete File: ${path}`] : [`*** Update File: ${path}`, "@@", ...update];
  const text = ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
  const added = update?.find((line) => line.startsWith("+"))?.slice(1);
  return {
    tool: "apply_patch",
    argumentsOf: () => ({ patch: text }),
    check:
      added === undefined
        ? { tool: "glob", arguments: { pattern: path }, isDone: (found) => !found.includes(path) }
        : reading(path, (found) => found.includes(added)),
  };
}

/**
 * @param {string} path
 * @param {(found: string) => boolean} isDone
 * @returns {ScriptedCall["check"]}
 */
function reading(path, isDone) {
  return { tool: "read_file", arguments: { file_path: path }, isDone };
}
