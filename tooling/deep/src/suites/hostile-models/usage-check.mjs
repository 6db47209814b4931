// @ts-check
import { PRICES } from "./model-client.mjs";

/** @import { Usage } from "@switchyard/contracts" */
/** @import { HostileModelRequest } from "@switchyard/testkit" */

/** @typedef {{ readonly inputTokens: number, readonly outputTokens: number }} Tokens */

/**
 * How the usage of a run compares with what the server reported.
 * @typedef {object} UsageCheck
 * @property {readonly string[]} problems
 * @property {number} uncertain Requests of which the server cannot know whether the client received their usage.
 */

/**
 * Whether only the client knows if it received the usage of a response: a reset discards bytes that were not read yet.
 * A stall does not, as the clock of the client stands still until it has read what was sent.
 * @param {HostileModelRequest} request
 * @returns {boolean}
 */
export function mayHaveLostUsage({ fault, isUsageCertain }) {
  return !isUsageCertain && fault?.kind !== "stall";
}

/**
 * Compares the usage of a report with the server's ledger: the usage of each response counts once, of broken ones as far
 * as they reported it. Usage that may be lost is one that the response
 * had reported so far, or none. The cost is that of these tokens.
 * @param {Usage} reported
 * @param {readonly HostileModelRequest[]} requests
 * @param {(request: HostileModelRequest) => boolean} [isUncertain]
 * @returns {UsageCheck}
 */
export function checkUsage(reported, requests, isUncertain = mayHaveLostUsage) {
  const paid = requests.filter(({ usages }) => usages.length > 0);
  const open = paid.filter(isUncertain).map(({ usages }) => usages);
  const certain = paid.filter((request) => !isUncertain(request)).flatMap(({ usages }) => usages.at(-1) ?? []);
  /** @type {Tokens} */
  const none = { inputTokens: 0, outputTokens: 0 };
  const sums = open.reduce(withEach, new Map(named(certain.reduce(sum, none))));
  const expected = [...sums.keys()].slice(0, 8).join(" or ");
  const wrongTokens = sums.has(nameOf(reported))
    ? []
    : [`the report has ${nameOf(reported)} tokens, the server ${expected}`];
  return { problems: [...wrongTokens, ...costProblems(reported)], uncertain: open.length };
}

/**
 * @param {Usage} reported
 * @returns {readonly string[]}
 */
function costProblems({ inputTokens, outputTokens, costMicros = 0, isCostPartial = false }) {
  const cost = inputTokens * PRICES.input + outputTokens * PRICES.output;
  return costMicros === cost && !isCostPartial ? [] : [`the report has a cost of ${costMicros}, not ${cost}`];
}

/**
 * @param {Tokens} one
 * @param {Tokens} other
 * @returns {Tokens}
 */
function sum(one, other) {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/**
 * @param {Tokens} tokens
 * @returns {string}
 */
function nameOf({ inputTokens, outputTokens }) {
  return `${inputTokens}/${outputTokens}`;
}

/**
 * @param {Tokens} tokens
 * @returns {readonly [string, Tokens][]}
 */
function named(tokens) {
  return [[nameOf(tokens), tokens]];
}

/**
 * Every sum, without and with each usage that a response has reported in turn.
 * @param {ReadonlyMap<string, Tokens>} sums
 * @param {readonly Tokens[]} usages
 * @returns {Map<string, Tokens>}
 */
function withEach(sums, usages) {
  const further = [...sums.values()].flatMap((tokens) => usages.flatMap((usage) => named(sum(tokens, usage))));
  return new Map([...sums, ...further]);
}
