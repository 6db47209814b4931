// @ts-check
import { PRICES } from "./model-client.mjs";

/** @import { Usage } from "@switchyard/contracts" */
/** @import { HostileModelRequest } from "@switchyard/testkit" */

/** @typedef {{ readonly inputTokens: number, readonly outputTokens: number }} Tokens */

/**
 * Comparison of a run's usage with the server's ledger.
 * @typedef {object} UsageCheck
 * @property {readonly string[]} problems
 * @property {number} uncertain Requests of which the server cannot know whether the client received their usage.
 */

/**
 * Returns whether only the client knows if it received a response's usage: a reset discards unread bytes. A stall does
 * not, because the client's clock stands still until it has read everything sent.
 * @param {HostileModelRequest} request
 * @returns {boolean}
 */
export function mayHaveLostUsage({ fault, isUsageCertain }) {
  return !isUsageCertain && fault?.kind !== "stall";
}

/**
 * Compares a report's usage with the server's ledger. Each response's usage counts once, that of broken ones as far as
 * they reported it. Usage that may be lost is a partial report or none. The cost must match these tokens.
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
 * Returns every sum, without and with each reported usage of a response.
 * @param {ReadonlyMap<string, Tokens>} sums
 * @param {readonly Tokens[]} usages
 * @returns {Map<string, Tokens>}
 */
function withEach(sums, usages) {
  const further = [...sums.values()].flatMap((tokens) => usages.flatMap((usage) => named(sum(tokens, usage))));
  return new Map([...sums, ...further]);
}
