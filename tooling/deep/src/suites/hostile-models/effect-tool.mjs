// @ts-check

/** @import { Message, RegisteredTool } from "@switchyard/contracts" */
/** @import { EffectLedger } from "@switchyard/testkit" */

/**
 * Creates a tool that counts its effects. `onEffect` is called before and after each of them.
 * @param {EffectLedger} ledger
 * @param {() => void} [onEffect]
 * @returns {RegisteredTool}
 */
export function effectTool(ledger, onEffect = () => undefined) {
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
      onEffect();
      ledger.record(String(key));
      onEffect();
      return `done: ${String(key)}`;
    },
    effects: "unsafe",
  };
}

/**
 * Returns problems of a run's effects.
 * @param {EffectLedger} ledger
 * @param {readonly string[]} expected
 * @param {{ mayLack: (key: string) => boolean }} allowed
 * @returns {string[]}
 */
export function effectProblems(ledger, expected, { mayLack }) {
  const done = ledger.effects().map(({ operationId }) => operationId);
  const twice = ledger.duplicates();
  const unknown = done.filter((key) => !expected.includes(key));
  const lacking = expected.filter((key) => !done.includes(key) && !mayLack(key));
  return [
    ...(twice.length > 0 ? [`effects twice: ${twice}`] : []),
    ...(unknown.length > 0 ? [`effects that the model did not ask for: ${unknown}`] : []),
    ...(lacking.length > 0 ? [`effects missing: ${lacking}`] : []),
  ];
}

/**
 * Returns the keys of calls that the model was told have failed, such as calls interrupted by a kill, whose outcome is
 * unknown.
 * @param {readonly Message[]} conversation
 * @returns {ReadonlySet<string>}
 */
export function failedKeys(conversation) {
  const parts = conversation.flatMap((message) => message.parts);
  const failed = new Set(
    parts.flatMap((part) => (part.type === "tool_result" && part.isError ? [part.toolCallId] : [])),
  );
  return new Set(
    parts.flatMap((part) => (part.type === "tool_call" && failed.has(part.id) ? keysIn(part.arguments) : [])),
  );
}

/**
 * @param {string} input JSON text, unless the response was cut off in it.
 * @returns {readonly string[]}
 */
function keysIn(input) {
  const [, key] = /"key":"([^"]*)"/.exec(input) ?? [];
  return key === undefined ? [] : [key];
}
