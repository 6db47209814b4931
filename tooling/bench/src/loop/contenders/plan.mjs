// @ts-check

/**
 * A conversation as every contender has it: in each round the model asks for one call of a tool, then it answers in
 * words.
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} resultChars what the tool returns
 * @property {number} deltas of the last answer
 * @property {number} latencyMs before each answer of the model
 * @property {boolean} slow whether whoever listens takes a turn of the event loop for each delta
 */

/**
 * What somebody who listens to the agent saw.
 * @typedef {{ calls: number, deltas: number, text: string }} Seen
 */

/**
 * One way to run an agent, with everything loaded.
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

/**
 * Arguments of a round's call; no two are equal, as nobody is to find a loop.
 * @param {number} round
 */
export function argumentsOf(round) {
  return { place: `src/folder/file-${round}.ts`, depth: 2 };
}

/** @type {Map<number, string>} */
const results = new Map();

/**
 * What the tool returns: one string for all calls, so that none of it is anybody's memory.
 * @param {Plan} plan
 */
export function resultOf({ resultChars }) {
  let result = results.get(resultChars);
  if (result === undefined) {
    result = "What is there to be seen at that place. ".repeat(Math.ceil(resultChars / 40)).slice(0, resultChars);
    results.set(resultChars, result);
  }
  return result;
}

/**
 * The time a model takes to begin; no time, and no turn of the event loop, where it is 0.
 * @param {Plan} plan
 * @returns {Promise<void> | undefined}
 */
export function latencyOf({ latencyMs }) {
  return latencyMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, latencyMs));
}

/**
 * Counts what a listener sees, and takes its time where that is asked for.
 * @param {Plan} plan
 */
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
