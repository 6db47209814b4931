// @ts-check
// Facts about programs are repeated here instead of being read from the policy's table, so that a fault in the table is
// detected.

/**
 * Words that may be added to a command.
 * @typedef {object} Fragment
 * @property {readonly string[]} words Words to add.
 * @property {"run" | "write" | "connect"} effect Their effect that the rule does not cover.
 * @property {boolean} [isFirst] True if they stand before the other words.
 */

/**
 * A rule, and forms of a command with their effects.
 * @typedef {object} Scenario
 * @property {string} rule Rule of the user.
 * @property {readonly string[]} words Command that the rule covers.
 * @property {readonly (readonly string[])[]} good Words that the rule still covers.
 * @property {readonly Fragment[]} bad Words that it does not cover.
 * @property {boolean} [needsGood] True if `words` alone are not a command.
 * @property {boolean} [isNever] True if the rule covers no form of `words`: the program exists to run or write.
 * @property {boolean} [isDenial] True if the rule denies: only the canary must not be started.
 * @property {readonly RegExp[]} [writes] Paths that the command may write.
 * @property {readonly RegExp[]} [runs] Programs that it may start, besides its own.
 */

/** Program that only command forms with an unwanted effect start. */
export const CANARY = "/tmp/canary/run";
/** File outside the workspace. */
export const OUTSIDE = "/tmp/outside/f";

/**
 * Returns fragments that are appended to the command.
 * @param {Fragment["effect"]} effect
 * @param {...(string | readonly string[])} lists
 * @returns {Fragment[]}
 */
export function all(effect, ...lists) {
  return lists.map((words) => ({ effect, words: typeof words === "string" ? [words] : words }));
}

/**
 * Returns fragments that replace the words after the program.
 * @param {Fragment["effect"]} effect
 * @param {...(readonly string[])} lists
 * @returns {Fragment[]}
 */
export function before(effect, ...lists) {
  return lists.map((words) => ({ effect, words, isFirst: true }));
}
