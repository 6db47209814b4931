import type { Message, Part } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { nextAnswer } from "../src/scenario/next-answer.mjs";
import { LAST_WORDS, SCRIPT } from "../src/scenario/script.mjs";

type Outcome = (id: string, name: string) => string;

/** Plays the model against outcomes, as far as it goes. */
function play(outcome: Outcome): { messages: Message[]; ids: string[] } {
  const messages: Message[] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];
  const ids: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const { id, parts, isLast } = nextAnswer(messages);
    ids.push(id);
    messages.push({ role: "assistant", parts });
    if (isLast) return { messages, ids };
    messages.push({ role: "tool", parts: parts.flatMap((part) => answered(part, outcome)) });
  }
  throw new Error("the model does not come to an end");
}

function answered(part: Part, outcome: Outcome): Part[] {
  if (part.type !== "tool_call") return [];
  const content = outcome(part.id, part.name);
  return [
    { type: "tool_result", toolCallId: part.id, name: part.name, content, isError: content.startsWith("unknown") },
  ];
}

function callsIn(messages: Message[]): string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool_call" ? [part.id] : [])));
}

test("twelve rounds, then the last words", () => {
  const { messages, ids } = play(() => "ok");
  expect(ids).toHaveLength(SCRIPT.length + 1);
  expect(SCRIPT).toHaveLength(12);
  expect(messages.at(-1)?.parts).toEqual([{ type: "text", text: LAST_WORDS }]);
  expect(callsIn(messages)).toHaveLength(SCRIPT.flat().length);
});

test("the same conversation gets the same answer under the same id, another one another id", () => {
  const { messages, ids } = play(() => "ok");
  expect(new Set(ids).size).toBe(ids.length);
  expect(nextAnswer(structuredClone(messages.slice(0, 5)))).toEqual(nextAnswer(messages.slice(0, 5)));
});

test("a call of unknown outcome is looked into, and made again only when its effect is missing", () => {
  const unknown = (found: string) =>
    callsIn(
      play((id, name) => {
        if (id === "s02-0.try1") return "unknown_outcome: nobody knows";
        return name === "count_effects" ? found : "ok";
      }).messages,
    ).filter((id) => id.startsWith("s02-0"));
  expect(unknown("1 times")).toEqual(["s02-0.try1", "s02-0.check1"]);
  expect(unknown("0 times")).toEqual(["s02-0.try1", "s02-0.check1", "s02-0.try2"]);
});

test("of several calls only those of unknown outcome are looked into", () => {
  const { messages } = play((id) => (id === "s03-1.try1" ? "unknown_outcome" : "0 times"));
  expect(callsIn(messages).filter((id) => id.startsWith("s03"))).toEqual([
    "s03-0.try1",
    "s03-1.try1",
    "s03-2.try1",
    "s03-1.check1",
    "s03-1.try2",
  ]);
});
