// @ts-check

/** @import { Envelope } from "@switchyard/contracts" */
/** @import { History, Violation } from "./history.mjs" */

/**
 * D9: the user is asked the same as in an uninterrupted run. A question repeated after a crash has the same id, and no
 * attempt asks it twice.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkQuestions({ final, reference, powerLoss }) {
  if (final === undefined || reference === undefined) return [];
  const [expected, found] = [idsOf(reference.events), idsOf(final.events)];
  const asked = [...found].flatMap(([question, ids]) => {
    const names = new Set(ids.map(({ id }) => id));
    const others = [...names].filter((id) => expected.get(question)?.every((known) => known.id !== id) !== false);
    const attempts = new Set(ids.map(({ attempt }) => attempt));
    return [
      ...others.map((id) => `${question} was asked as ${id}, which no uninterrupted run does`),
      ...(attempts.size === ids.length ? [] : [`${question} was asked twice in one attempt`]),
    ];
  });
  // Events survive the death of the process, but not a power loss, so the event of a question may be gone.
  const missing = powerLoss ? [] : [...expected.keys()].filter((question) => !found.has(question));
  return [...asked, ...missing.map((question) => `${question} was never asked`)].map((detail) => {
    return { promise: "D9", kind: "question", detail };
  });
}

/**
 * Returns every question to the user, with the id and attempt of each time it was asked.
 * @param {readonly Envelope[]} events
 * @returns {Map<string, { id: string, attempt: number }[]>}
 */
function idsOf(events) {
  /** @type {Map<string, { id: string, attempt: number }[]>} */
  const questions = new Map();
  for (const event of events) {
    if (event.type !== "user_prompted") continue;
    const { prompt_id: id, parts } = event.payload;
    const question = parts.map((part) => (part.type === "text" ? part.text : part.type)).join(" ");
    questions.set(question, [...(questions.get(question) ?? []), { id, attempt: event.attempt }]);
  }
  return questions;
}
