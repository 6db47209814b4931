import type { Message, Part } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { nextAnswer } from "../src/scenario/next-answer.mjs";
import { SCENARIOS, type Scenario } from "../src/scenario/scenario.mjs";

const { steps, family } = SCENARIOS;
const PART = steps.parts[steps.task];

type Outcome = (id: string, name: string) => string;

/** Plays the model against outcomes, as far as it goes. */
function play(
  outcome: Outcome,
  { scenario = steps, told = [scenario.task] }: { scenario?: Scenario; told?: string[] } = {},
): { messages: Message[]; ids: string[] } {
  const inputs = told.map((text): Message => ({ role: "user", parts: [{ type: "text", text }] }));
  const messages = inputs.splice(0, 1);
  const ids: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const { id, parts, isLast } = nextAnswer(scenario, messages);
    ids.push(id);
    messages.push({ role: "assistant", parts });
    if (isLast && inputs.length === 0) return { messages, ids };
    if (isLast) {
      messages.push(...inputs.splice(0, 1));
      continue;
    }
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

test("the model answers twelve rounds and then ends the conversation", () => {
  const { messages, ids } = play(() => "ok");
  expect(PART?.rounds).toHaveLength(12);
  expect(ids).toHaveLength(13);
  expect(messages.at(-1)?.parts).toEqual([{ type: "text", text: PART?.lastWords }]);
  expect(callsIn(messages)).toHaveLength(PART?.rounds.flat().length ?? 0);
});

test("equal conversations get the same response and id, other conversations other ids", () => {
  const { messages, ids } = play(() => "ok");
  expect(new Set(ids).size).toBe(ids.length);
  const some = messages.slice(0, 5);
  expect(nextAnswer(steps, structuredClone(some))).toEqual(nextAnswer(steps, some));
});

test("the model checks a call of unknown outcome, and repeats it only if its effect is missing", () => {
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

test("of several calls, the model checks only those of unknown outcome", () => {
  const { messages } = play((id) => (id === "s03-1.try1" ? "unknown_outcome" : "0 times"));
  expect(callsIn(messages).filter((id) => id.startsWith("s03"))).toEqual([
    "s03-0.try1",
    "s03-1.try1",
    "s03-2.try1",
    "s03-1.check1",
    "s03-1.try2",
  ]);
});

const [FIRST = "", AGAIN = ""] = Object.keys(family.parts).filter((text) => text.includes("first"));

test("each subagent does its task and continues when it receives a follow-up", () => {
  const first = play(() => "ok", { scenario: family, told: [FIRST, AGAIN] });
  expect(first.messages.at(-1)?.parts).toEqual([{ type: "text", text: family.parts[AGAIN]?.lastWords }]);
  const root = play(() => "ok", { scenario: family });
  expect(callsIn(root.messages)).toContain("s09-1.try1");
  expect(new Set([...first.ids, ...root.ids]).size).toBe(first.ids.length + root.ids.length);
});

test("the model waits for a background command, and restarts a lost one if its effect is missing", () => {
  const job = (outcome: Outcome) =>
    callsIn(play(outcome, { scenario: family }).messages).filter((id) => id.startsWith("s02-1."));
  expect(job(() => "ok")).toEqual(["s02-1.try1", "s02-1.poll1"]);
  const lost = (found: string) =>
    job((id) => {
      if (id === "s02-1.poll1") return "The background command s02-1.try1 is lost: the run was cut off";
      return id.includes(".check") ? found : "ok";
    });
  expect(lost("1 times")).toEqual(["s02-1.try1", "s02-1.poll1", "s02-1.check1"]);
  expect(lost("0 times")).toEqual(["s02-1.try1", "s02-1.poll1", "s02-1.check1", "s02-1.try2", "s02-1.poll2"]);
});

test("the model ends the background command that replaced a lost one", () => {
  const { messages } = play(
    (id) =>
      id === "s02-0.try1" ? "unknown_outcome" : "The background command s02-0.try1 is lost: the run was cut off",
    { scenario: family },
  );
  const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool_call" ? [part] : [])));
  expect(calls.filter(({ id }) => id.startsWith("s02-0")).map(({ id }) => id)).toEqual([
    "s02-0.try1",
    "s02-0.check1",
    "s02-0.try2",
  ]);
  expect(calls.find(({ name }) => name === "shell_kill")?.arguments).toContain('"s02-0.try2"');
});
