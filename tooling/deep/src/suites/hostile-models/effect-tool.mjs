// @ts-check

/** @import { RegisteredTool } from "@switchyard/contracts" */
/** @import { EffectLedger } from "@switchyard/testkit" */

/**
 * A tool whose effects are counted.
 * @param {EffectLedger} ledger
 * @returns {RegisteredTool}
 */
export function effectTool(ledger) {
  return {
    definition: {
      name: "effect",
      description: "Has an effect that is counted.",
      parameters: {
        type: "object",
        properties: { key: { type: "string" }, note: { type: "string" } },
        required: ["key"],
      },
    },
    execute: ({ key }) => {
      ledger.record(String(key));
      return `done: ${String(key)}`;
    },
    effects: "unsafe",
  };
}

/**
 * What is wrong with the effects of a run.
 * @param {EffectLedger} ledger
 * @param {readonly string[]} expected
 * @param {{ missing: number }} allowed
 * @returns {string[]}
 */
export function effectProblems(ledger, expected, { missing }) {
  const done = ledger.effects().map(({ operationId }) => operationId);
  const twice = ledger.duplicates();
  const unknown = done.filter((key) => !expected.includes(key));
  const lacking = expected.filter((key) => !done.includes(key));
  return [
    ...(twice.length > 0 ? [`effects twice: ${twice}`] : []),
    ...(unknown.length > 0 ? [`effects that the model did not ask for: ${unknown}`] : []),
    ...(lacking.length > missing ? [`effects missing: ${lacking}`] : []),
  ];
}
