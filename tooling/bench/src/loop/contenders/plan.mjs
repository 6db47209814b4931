// @ts-check

/**
 * The conversation of every contender: in each round the model requests one tool call, then it responds with text.
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} resultChars length of the tool's result
 * @property {number} deltas of the last answer
 * @property {number} latencyMs before each answer of the model
 * @property {boolean} slow whether the listener uses an event loop turn for each delta
 */

/** What a listener of the agent received. @typedef {{ calls: number, deltas: number, text: string }} Seen */

/**
 * A way to run an agent, with everything loaded.
 * @typedef {object} Contender
 * @property {(plan: Plan) => Promise<Seen>} converse one conversation, which stays in memory as long as its agent does
 * @property {() => Promise<void>} [close]
 */

export const TOOL = {
  name: "look",
  description: "Looks at a place.",
  schema: {
    type: "object",
    properties: { place: { type: "string" }, depth: { type: "integer" } },
    required: ["place"],
    additionalProperties: false,
  },
};

/** One piece of the last answer. */
export const DELTA = "some words ";

/** Returns the arguments of a round's call. All differ, so that no loop is detected. @param {number} round */
export function argumentsOf(round) {
  return { place: `src/folder/file-${round}.ts`, depth: 2 };
}

/** @type {Map<number, string>} */
const results = new Map();

/** Returns the result of the tool: one shared string, so that it does not count as memory. @param {Plan} plan */
export function resultOf({ resultChars }) {
  let result = results.get(resultChars);
  if (result === undefined) {
    result = "What is there to be seen at that place. ".repeat(Math.ceil(resultChars / 40)).slice(0, resultChars);
    results.set(resultChars, result);
  }
  return result;
}

/**
 * Returns the delay before a response. With 0 there is no event loop turn.
 * @param {Plan} plan
 * @returns {Promise<void> | undefined}
 */
export function latencyOf({ latencyMs }) {
  return latencyMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, latencyMs));
}

/** Counts received events, and delays itself if requested. @param {Plan} plan */
export function listener({ slow }) {
  /** @type {string[]} */
  const pieces = [];
  let calls = 0;
  return {
    sawCall: () => {
      calls += 1;
    },
    /** @param {string} text @returns {Promise<void> | undefined} */
    sawDelta: (text) => {
      pieces.push(text);
      return slow ? new Promise((resolve) => setImmediate(resolve)) : undefined;
    },
    /** @returns {Seen} */
    seen: () => ({ calls, deltas: pieces.length, text: pieces.join("") }),
  };
}
