// @ts-check

/**
 * One call of a script, and how the model determines whether it took effect if the outcome is unknown.
 * @typedef {object} ScriptedCall
 * @property {string} tool Name of the tool.
 * @property {(asked: Asked) => Arguments} argumentsOf Creates the arguments of the call.
 * @property {Poll} [poll] A later query about the process that the call started.
 * @property {Check} check A repeatable call whose result shows whether the call took effect.
 */

/** @typedef {Readonly<Record<string, unknown>>} Arguments */

/**
 * Number of attempts of the call, including this one, and the id of the last call at a position.
 * @typedef {{ attempt: number, idOf: (place: string) => string }} Asked
 */

/** @typedef {{ tool: string, argumentsOf: (id: string) => Arguments }} Poll */

/** @typedef {{ tool: string, argumentsOf: (id: string) => Arguments, isDone: (found: string) => boolean }} Check */

/** Variable that contains the path of the ledger. */
export const LEDGER_VARIABLE = "SWEEP_LEDGER";
/** Read-only tool that counts an operation's entries in the ledger. */
export const COUNT_TOOL = "count_effects";
/** Number and interval, in seconds, of a command's checks for other effects. */
const [BEHIND_TRIES, BEHIND_STEP_S] = [60, 0.05];
/** Longer than the duration of any command, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Returns a command that writes one line to the ledger, and optionally does more.
 * @param {string} operation
 * @param {string} [more]
 * @returns {ScriptedCall}
 */
export function effect(operation, more) {
  return {
    tool: "shell",
    argumentsOf: ({ attempt }) => {
      const append = appendTo(operation, attempt);
      return { command: more === undefined ? append : `${append}; ${more}` };
    },
    check: counting(operation),
  };
}

/**
 * Returns a command suffix that waits for other effects, so that a crash occurs while they are in progress. It does not
 * wait forever.
 * @param {readonly string[]} operations
 * @returns {string}
 */
export function behind(operations) {
  const missing = operations.map((operation) => `! grep -q '^${operation} ' "$${LEDGER_VARIABLE}"`).join(" || ");
  return `for i in $(seq ${BEHIND_TRIES}); do { ${missing}; } || break; sleep ${BEHIND_STEP_S}; done; sleep 0.2`;
}

/**
 * Returns a background command with a late effect that the model waits for. If it is lost with its process, it is
 * started again when its effect is missing, so nothing of it may remain.
 * @param {string} operation
 * @returns {ScriptedCall}
 */
export function job(operation) {
  return {
    tool: "shell",
    argumentsOf: ({ attempt }) => {
      return { command: `sleep 0.3; ${appendTo(operation, attempt)}; echo built`, background: true };
    },
    poll: { tool: "shell_output", argumentsOf: (id) => ({ id, wait_ms: PATIENCE_MS }) },
    check: counting(operation),
  };
}

/** Returns a background command that never exits. @returns {ScriptedCall} */
export function server() {
  return {
    tool: "shell",
    argumentsOf: () => ({ command: "exec sleep 600", background: true }),
    check: { tool: "shell_output", argumentsOf: (id) => ({ id }), isDone: (found) => found.includes("Still running") },
  };
}

/**
 * Ends the command started at a position. A command lost with its process has already ended.
 * @param {string} place
 * @returns {ScriptedCall}
 */
export function stop(place) {
  return { tool: "shell_kill", argumentsOf: ({ idOf }) => ({ id: idOf(place) }), check: never() };
}

/**
 * @param {string} question
 * @returns {ScriptedCall}
 */
export function ask(question) {
  return { tool: "ask_user", argumentsOf: () => ({ question }), check: never() };
}

/**
 * @param {string} task
 * @param {string} [folder]
 * @returns {ScriptedCall}
 */
export function spawn(task, folder) {
  const given = folder === undefined ? { task } : { task, working_dir: folder };
  return { tool: "spawn_agent", argumentsOf: () => given, check: never() };
}

/**
 * @param {string} agent
 * @param {string} message
 * @returns {ScriptedCall}
 */
export function send(agent, message) {
  return { tool: "send_input", argumentsOf: () => ({ agent_id: agent, message }), check: never() };
}

/**
 * @param {string} agent
 * @returns {ScriptedCall}
 */
export function waitFor(agent) {
  return { tool: "wait", argumentsOf: () => ({ agent_id: agent }), check: never() };
}

/**
 * @param {string} agent
 * @returns {ScriptedCall}
 */
export function close(agent) {
  return { tool: "close_agent", argumentsOf: () => ({ agent_id: agent }), check: never() };
}

/**
 * @param {string} path
 * @param {string} content
 * @returns {ScriptedCall}
 */
export function write(path, content) {
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
export function look(path) {
  return { tool: "read_file", argumentsOf: () => ({ file_path: path }), check: reading(path, () => false) };
}

/**
 * @param {string} path
 * @param {{ from: string, to: string }} change
 * @returns {ScriptedCall}
 */
export function edit(path, { from, to }) {
  return {
    tool: "edit_file",
    argumentsOf: () => ({ file_path: path, old_string: from, new_string: to }),
    check: reading(path, (found) => found.includes(to)),
  };
}

/**
 * Returns a patch with these lines. Without any, it deletes the file.
 * @param {string} path
 * @param {{ update?: readonly string[] }} change
 * @returns {ScriptedCall}
 */
export function patch(path, { update }) {
  const body = update === undefined ? [`*** Delete File: ${path}`] : [`*** Update File: ${path}`, "@@", ...update];
  const text = ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
  const added = update?.find((line) => line.startsWith("+"))?.slice(1);
  return {
    tool: "apply_patch",
    argumentsOf: () => ({ patch: text }),
    check:
      added === undefined
        ? { tool: "glob", argumentsOf: () => ({ pattern: path }), isDone: (found) => !found.includes(path) }
        : reading(path, (found) => found.includes(added)),
  };
}

/**
 * @param {string} operation
 * @param {number} attempt
 * @returns {string}
 */
function appendTo(operation, attempt) {
  return `: effect ${operation} ${attempt}; echo "${operation} ${attempt} $$" >> "$${LEDGER_VARIABLE}"`;
}

/**
 * @param {string} operation
 * @returns {Check}
 */
function counting(operation) {
  return { tool: COUNT_TOOL, argumentsOf: () => ({ operation }), isDone: (found) => !found.startsWith("0 ") };
}

/**
 * @param {string} path
 * @param {(found: string) => boolean} isDone
 * @returns {Check}
 */
function reading(path, isDone) {
  return { tool: "read_file", argumentsOf: () => ({ file_path: path }), isDone };
}

/** Check of a repeatable call, whose outcome never needs to be determined. @returns {Check} */
function never() {
  return reading("plan.md", () => false);
}
