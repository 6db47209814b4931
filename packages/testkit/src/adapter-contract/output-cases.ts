import assert from "node:assert/strict";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import {
  type AdapterBench,
  type AdapterRun,
  completedOf,
  LAST,
  needs,
  ofType,
  turnOf,
  WORKS,
} from "./adapter-bench.ts";
import type { AgentStep } from "./agent-script.ts";

const [START, TEXT, END] = WORKS;
const BEGIN: readonly AgentStep[] = START === undefined || TEXT === undefined ? [] : [START, TEXT];
const SUCCESS: readonly AgentStep[] = END === undefined ? [] : [END];
const SECRET = "contract-secret-value-0123";

function assertMeasures({ subject }: AdapterRun): void {
  applies(subject.adapter.capabilities.usage !== "none", "the agent reports no tokens");
}

/** Returns the steps of a tool call that takes the given time. */
function toolSteps(ms: number): AgentStep[] {
  return [
    { do: "tool", id: "call-1", name: "Shell", arguments: { command: "ls" } },
    { do: "wait", ms },
    { do: "tool-end", id: "call-1", output: "a.txt" },
  ];
}

/** Conformance cases for an agent's output. */
export const outputCases: readonly CaseBody<AdapterBench>[] = [
  {
    id: "adapter/text",
    requirement: ["adapter-structured-output-1"],
    title: "Emits the model's text, and returns the last text as the turn's last message",
    async check(bench) {
      const steps = [...BEGIN, { do: "say", text: "And this: ünï 😀." }, ...SUCCESS] as const;
      const run = await bench.run({ turns: [steps] });
      needs(run, "texts");
      const turn = completedOf(run);
      const texts = ofType(turn, "assistant_text").map(({ message }) => message);
      assert.deepEqual(texts, ["It is done.", "And this: ünï 😀."]);
      assert.equal(turn.result.finalMessage, "And this: ünï 😀.");
    },
  },
  {
    id: "adapter/tools",
    requirement: ["adapter-events-4", "adapter-structured-output-3"],
    title: "Emits tool calls with name, arguments, output and duration",
    async check(bench) {
      // On a busy machine, both steps may be read at the same time. A second try waits longer between the steps.
      const durations: (number | undefined)[] = [];
      for (const ms of [400, 3_000]) {
        const run = await bench.run({ turns: [[...BEGIN, ...toolSteps(ms), ...SUCCESS]] });
        needs(run, "tools");
        const turn = completedOf(run);
        const [began, ended] = [ofType(turn, "tool_started")[0], ofType(turn, "tool_result")[0]];
        assert.deepEqual([began?.toolName, began?.toolArguments], ["Shell", { command: "ls" }]);
        assert.deepEqual([ended?.toolName, ended?.toolError, ended?.message], ["Shell", false, "a.txt"]);
        assert.equal(ended?.toolCallId, began?.toolCallId);
        durations.push(ended?.toolDurationMs);
        if ((ended?.toolDurationMs ?? 0) >= 50) return;
      }
      assert.fail(`It took ${durations.join(" and ")} ms.`);
    },
  },
  {
    id: "adapter/tools-parallel",
    requirement: ["adapter-structured-output-3"],
    title: "Distinguishes concurrent tool calls, and marks a failed call as failed",
    async check(bench) {
      const steps: readonly AgentStep[] = [
        ...[...BEGIN, { do: "tool", id: "a", name: "One" } as const, { do: "tool", id: "b", name: "Two" } as const],
        { do: "tool-end", id: "b", output: "two", isError: true },
        { do: "tool-end", id: "a", output: "one" },
        ...SUCCESS,
      ];
      const run = await bench.run({ turns: [steps] });
      needs(run, "tools");
      const turn = completedOf(run);
      const ended = ofType(turn, "tool_result").map(({ toolName, toolError }) => [toolName, toolError]);
      assert.deepEqual(ended, [
        ["Two", true],
        ["One", false],
      ]);
    },
  },
  {
    id: "adapter/tool-unknown-end",
    requirement: ["adapter-structured-output-3"],
    title: "Ignores the end of a tool call that never began",
    async check(bench) {
      const steps = [...BEGIN, { do: "tool-end", id: "nobody", output: "x" }, ...SUCCESS] as const;
      assert.deepEqual(ofType(completedOf(await bench.run({ turns: [steps] })), "tool_result"), []);
    },
  },
  {
    id: "adapter/timestamps",
    requirement: ["adapter-events-8"],
    title: "Sets a UTC timestamp on every event",
    async check(bench) {
      const { events } = completedOf(await bench.run());
      const times = events.map(({ timestamp }) => timestamp);
      assert.ok(times.length > 0 && times.every((time) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(time)), times.join());
    },
  },
  {
    id: "adapter/last-event",
    requirement: ["adapter-events-2", "adapter-outcome-14"],
    title: "Ends each turn with exactly one terminal event",
    async check(bench) {
      for (const steps of [WORKS, WORKS.slice(0, 1), []]) {
        const turn = turnOf(await bench.run({ turns: [steps] }));
        const ends = turn.events.filter(({ type }) => LAST.includes(type));
        assert.deepEqual(
          ends.map(({ type }) => type),
          [turn.result.exitReason],
        );
        assert.equal(turn.events.at(-1), ends[0], "The terminal event is not the last event.");
      }
    },
  },
  {
    id: "adapter/quiet-after-turn",
    requirement: ["adapter-contract-9"],
    title: "Emits no events after the turn has returned",
    async check(bench) {
      const steps = [...BEGIN, { do: "child" }, ...SUCCESS] as const;
      const run = await bench.run({ turns: [steps] }, { prompts: ["One.", "Two."] });
      const counts = run.turns.map(({ events }) => events.filter(({ type }) => LAST.includes(type)).length);
      assert.deepEqual(counts, [1, 1]);
      assert.ok(run.turns.every(({ events }) => LAST.includes(events.at(-1)?.type ?? "")));
    },
  },
  {
    id: "adapter/malformed",
    requirement: ["adapter-events-6", "adapter-fork-5"],
    title: "Reports a line that cannot be parsed, truncated, and continues the turn",
    async check(bench) {
      const line = `{"type": ${"😀".repeat(600)}`;
      const steps = [...BEGIN, { do: "line", text: line }, ...SUCCESS] as const;
      const run = await bench.run({ turns: [steps] });
      needs(run, "malformed");
      const [malformed] = ofType(completedOf(run), "malformed");
      assert.ok(malformed !== undefined, "The line was not reported as malformed.");
      assert.equal([...(malformed.message ?? "")].length, 500, "The line must be truncated to 500 characters");
      assert.ok(
        malformed.message?.startsWith('{"type": 😀') && malformed.message.endsWith("…"),
        "The line is not marked as truncated.",
      );
    },
  },
  {
    id: "adapter/invalid-utf8",
    requirement: ["adapter-fork-5"],
    title: "Continues the turn after bytes that are not valid UTF-8",
    async check(bench) {
      const base64 = Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]).toString("base64");
      const steps = [...BEGIN, { do: "bytes", base64 }, ...SUCCESS] as const;
      const run = await bench.run({ turns: [steps] });
      needs(run, "malformed");
      assert.equal(
        ofType(completedOf(run), "malformed").length,
        1,
        "The bytes must be reported as malformed exactly once",
      );
    },
  },
  {
    id: "adapter/huge-line",
    requirement: ["adapter-fork-4"],
    title: "Skips a line of 20 MB in bounded memory and continues the turn",
    async check(bench) {
      const steps = [...BEGIN, { do: "long-line", bytes: 20 * 1024 * 1024 }, ...SUCCESS] as const;
      const turn = completedOf(await bench.run({ turns: [steps] }));
      const [malformed] = ofType(turn, "malformed");
      assert.ok(
        malformed !== undefined && [...(malformed.message ?? "")].length <= 500,
        "The line was not reported as malformed.",
      );
    },
  },
  {
    id: "adapter/nested-line",
    requirement: ["adapter-fork-5"],
    title: "Continues the turn after a line that is nested 100,000 levels deep",
    async check(bench) {
      const text = `{"type":"x","value":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
      completedOf(await bench.run({ turns: [[...BEGIN, { do: "line", text }, ...SUCCESS]] }));
    },
  },
  {
    id: "adapter/unknown-lines",
    requirement: ["adapter-events-9", "adapter-events-7"],
    title: "Emits at least one event for every line, even for a line of an unknown type",
    async check(bench) {
      const lines = Array.from({ length: 20 }, (_, index): AgentStep => {
        return { do: "line", text: JSON.stringify({ type: `contract_${index}`, value: index }) };
      });
      const plain = completedOf(await bench.run());
      const turn = completedOf(await bench.run({ turns: [[...BEGIN, ...lines, ...SUCCESS]] }));
      assert.ok(turn.events.length >= plain.events.length + lines.length, `There are ${turn.events.length} events.`);
    },
  },
  {
    id: "adapter/masked",
    requirement: ["adapter-outcome-11"],
    title: "Masks the values of environment variables in all output",
    async check(bench) {
      const steps: readonly AgentStep[] = [
        ...[...BEGIN, { do: "say", text: `The key is ${SECRET}.` } as const],
        { do: "tool", id: "a", name: "Shell", arguments: { command: `echo ${SECRET}` } },
        { do: "tool-end", id: "a", output: SECRET },
        { do: "line", text: `no json ${SECRET}` },
        ...[{ do: "stderr", text: SECRET } as const, { do: "end", kind: "failure", problem: SECRET } as const],
      ];
      const config = { env: ["CONTRACT_NAMED"] };
      const run = await bench.run({ turns: [steps], config, variables: { CONTRACT_NAMED: SECRET } });
      const { events, result } = turnOf(run);
      const exposed = JSON.stringify([events, result, result.error?.message, result.error?.details]);
      assert.ok(!exposed.includes(SECRET), "An event contains a secret.");
      assert.ok(exposed.includes("***REDACTED***"), "No event contains the masked text.");
    },
  },
  {
    id: "adapter/usage",
    requirement: ["adapter-usage-3", "adapter-events-3"],
    title: "Counts tokens once, however often a request is reported",
    async check(bench) {
      const usage = { do: "usage", id: "request-1", inputTokens: 100, outputTokens: 20 } as const;
      const total = { do: "end", kind: "success", inputTokens: 100, outputTokens: 20 } as const;
      const run = await bench.run({ turns: [[...BEGIN, usage, usage, total]] });
      assertMeasures(run);
      const { result } = completedOf(run);
      assert.equal(result.usageMeasured, true);
      const { inputTokens, outputTokens, totalTokens } = result.usage;
      assert.deepEqual([inputTokens, outputTokens, totalTokens], [100, 20, 120]);
    },
  },
  {
    id: "adapter/usage-over-turns",
    requirement: ["adapter-structured-output-4", "adapter-usage-4"],
    title: "Adds up tokens over the turns of a session and never decreases the sum",
    async check(bench) {
      const end = { do: "end", kind: "success", inputTokens: 50, outputTokens: 5 } as const;
      const run = await bench.run({ turns: [[...BEGIN, end]] }, { prompts: ["One.", "Two."] });
      assertMeasures(run);
      const totals = run.turns.map(({ result }) => result.usage.totalTokens);
      assert.deepEqual(totals, [55, 110]);
      const reported = run.turns.flatMap((turn) =>
        ofType(turn, "token_usage").map(({ usage }) => usage?.totalTokens ?? 0),
      );
      assert.deepEqual(
        reported,
        [...reported].sort((left, right) => left - right),
      );
      assert.equal(reported.at(-1), 110);
    },
  },
  {
    id: "adapter/usage-none",
    requirement: ["adapter-usage-1", "adapter-usage-2", "adapter-structured-output-2"],
    title: "Reports no tokens, and invents none, if the agent reports no usage",
    async check(bench) {
      const turn = completedOf(await bench.run());
      assert.deepEqual(ofType(turn, "token_usage"), []);
      assert.deepEqual([turn.result.usageMeasured, turn.result.usage.totalTokens], [false, 0]);
    },
  },
];
