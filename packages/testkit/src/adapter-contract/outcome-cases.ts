import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { type AdapterBench, completedOf, failedOf, needs, type TurnRun, turnOf, WORKS } from "./adapter-bench.ts";
import type { AgentStep } from "./agent-script.ts";

const START: AgentStep = { do: "start" };
const TEXT: AgentStep = { do: "say", text: "Working." };
const SUCCESS: AgentStep = { do: "end", kind: "success" };
const HANG: AgentStep = { do: "hang" };

/**
 * Maximum duration of a turn that the adapter must end, in milliseconds. Allows for a busy machine, but is shorter than
 * the default time limits of adapters, so that an adapter that ignores its configured time limits fails.
 */
const MOST_MS = 45_000;

/** Asserts that no process of the agent is left, and that the turn did not take too long. */
function assertEnded(run: { readonly survivors: readonly number[] }, durationMs: number): void {
  assert.deepEqual(run.survivors, [], "Processes are left running.");
  assert.ok(durationMs < MOST_MS, `It took ${durationMs} ms.`);
}

/** Conformance cases for how agent turns end. */
export const outcomeCases: readonly CaseBody<AdapterBench>[] = [
  {
    id: "adapter/success",
    requirement: ["adapter-outcome-6", "adapter-outcome-1", "adapter-contract-1"],
    title: "Emits turn_completed for a reported success with work",
    check: async (bench) => void completedOf(await bench.run()),
  },
  {
    id: "adapter/failure-reported",
    requirement: ["adapter-outcome-7", "adapter-outcome-14"],
    title: "Emits turn_failed with the agent's own reason for a reported failure",
    async check(bench) {
      const end: AgentStep = { do: "end", kind: "failure", problem: "the model is overloaded" };
      const run = await bench.run({ turns: [[START, TEXT, end]] });
      needs(run, "failures");
      const { result } = failedOf(run, "adapter.turn_failed");
      assert.ok(result.error?.message.includes("the model is overloaded"), result.error?.message);
    },
  },
  {
    id: "adapter/failure-exit-0",
    requirement: ["adapter-structured-output-5"],
    title: "Treats a reported failure as a failure even if the process exits with 0",
    async check(bench) {
      const end: AgentStep = { do: "end", kind: "failure", problem: "no" };
      const run = await bench.run({ turns: [{ steps: [START, TEXT, end], exitCode: 0 }] });
      needs(run, "failures");
      failedOf(run, "adapter.turn_failed");
    },
  },
  {
    id: "adapter/no-work",
    requirement: ["adapter-outcome-9"],
    title: "Emits turn_failed for exit code 0 without model text or a tool call",
    check: async (bench) => void failedOf(await bench.run({ turns: [[START]] }), "adapter.turn_failed"),
  },
  {
    id: "adapter/no-work-reported",
    requirement: ["adapter-outcome-9", "adapter-structured-output-5"],
    title: "Emits turn_failed for a reported success without any work",
    check: async (bench) => void failedOf(await bench.run({ turns: [[START, SUCCESS]] }), "adapter.turn_failed"),
  },
  {
    id: "adapter/tool-is-work",
    requirement: ["adapter-outcome-10"],
    title: "Accepts a single tool call as work",
    async check(bench) {
      completedOf(await bench.run({ turns: [[START, { do: "tool", id: "a", name: "Shell" }, SUCCESS]] }));
    },
  },
  {
    id: "adapter/silent-exit-0",
    requirement: ["adapter-outcome-9"],
    title: "Emits turn_failed for exit code 0 without any output line",
    check: async (bench) => void failedOf(await bench.run({ turns: [[]] }), "adapter.turn_failed"),
  },
  {
    id: "adapter/exit-nonzero",
    requirement: ["adapter-outcome-8"],
    title: "Returns port_exit for a nonzero exit without a report",
    async check(bench) {
      failedOf(await bench.run({ turns: [{ steps: [START, TEXT], exitCode: 3 }] }), "adapter.port_exit");
    },
  },
  {
    id: "adapter/exit-early",
    requirement: ["adapter-outcome-11"],
    title: "Returns port_exit with the end of standard error if the process fails before its first line",
    async check(bench) {
      const steps: readonly AgentStep[] = [{ do: "stderr", text: "not signed in" }];
      const { result } = failedOf(await bench.run({ turns: [{ steps, exitCode: 1 }] }), "adapter.port_exit");
      assert.ok(result.error?.message.includes("not signed in"), result.error?.message);
    },
  },
  {
    id: "adapter/exit-127",
    requirement: ["adapter-outcome-4"],
    title: "Returns agent_not_found for exit code 127",
    async check(bench) {
      failedOf(await bench.run({ turns: [{ steps: [], exitCode: 127 }] }), "adapter.agent_not_found");
    },
  },
  {
    id: "adapter/killed",
    requirement: ["adapter-outcome-3"],
    title: "Returns port_exit, not a cancellation, for a signal that the adapter did not send",
    async check(bench) {
      failedOf(await bench.run({ turns: [{ steps: [START, TEXT], signal: "SIGKILL" }] }), "adapter.port_exit");
    },
  },
  {
    id: "adapter/cancelled",
    requirement: ["adapter-outcome-2", "adapter-fork-10", "adapter-fork-11"],
    title: "Emits turn_cancelled for a cancelled turn and leaves no process running",
    async check(bench) {
      const run = await bench.run({ turns: [[START, TEXT, { do: "child" }, HANG]] }, { cancel: "signal" });
      const { result, durationMs } = turnOf(run);
      assert.deepEqual([result.exitReason, result.error?.code], ["turn_cancelled", "adapter.turn_cancelled"]);
      assertEnded(run, durationMs);
    },
  },
  {
    id: "adapter/cancelled-before",
    requirement: ["adapter-outcome-2"],
    title: "Emits turn_cancelled without starting the agent if the signal aborted before the turn",
    async check(bench) {
      const run = await bench.run({}, { cancel: "before" });
      assert.equal(turnOf(run).result.exitReason, "turn_cancelled");
      assert.equal(run.received.length, 0, "The agent was started although it must not be.");
    },
  },
  {
    id: "adapter/cancelled-despite-success",
    requirement: ["adapter-outcome-2"],
    title: "Emits turn_cancelled for a turn that the caller cancelled, whatever the agent reported",
    async check(bench) {
      const run = await bench.run({ turns: [[START, TEXT, SUCCESS, HANG]] }, { cancel: "signal" });
      assert.equal(turnOf(run).result.exitReason, "turn_cancelled");
    },
  },
  {
    id: "adapter/cancelled-stubborn",
    requirement: ["adapter-fork-10"],
    title: "Kills an agent that ignores SIGTERM after the grace period",
    async check(bench) {
      const turns = [{ steps: [START, TEXT, HANG], ignoresTerm: true }];
      const run = await bench.run({ turns, config: { stop_grace_ms: 300 } }, { cancel: "signal" });
      assert.equal(turnOf(run).result.exitReason, "turn_cancelled");
      assertEnded(run, turnOf(run).durationMs);
    },
  },
  {
    id: "adapter/cancelled-keeps",
    requirement: ["adapter-outcome-15"],
    title: "Returns the session id and the text so far for a cancelled turn",
    async check(bench) {
      const run = await bench.run({ turns: [[START, TEXT, HANG]] }, { cancel: "signal" });
      needs(run, "texts");
      const { result } = turnOf(run);
      assert.notEqual(result.sessionId, "");
      assert.equal(result.finalMessage, "Working.");
    },
  },
  {
    id: "adapter/turn-timeout",
    requirement: ["adapter-timeouts-1"],
    title: "Ends a turn that exceeds its time limit with turn_timeout and leaves no process running",
    async check(bench) {
      const config = { turn_timeout_ms: 1_500, stop_grace_ms: 500 };
      const run = await bench.run({ turns: [[START, TEXT, HANG]], config });
      const { durationMs } = failedOf(run, "adapter.turn_timeout");
      assertEnded(run, durationMs);
    },
  },
  {
    id: "adapter/stall-timeout",
    requirement: ["adapter-timeouts-2"],
    title: "Ends a turn without activity with response_timeout and leaves no process running",
    async check(bench) {
      const config = { stall_timeout_ms: 1_500, stop_grace_ms: 500 };
      const run = await bench.run({ turns: [[START, TEXT, HANG]], config });
      const { durationMs } = failedOf(run, "adapter.response_timeout");
      assertEnded(run, durationMs);
    },
  },
  {
    id: "adapter/stall-from-last-event",
    requirement: ["adapter-timeouts-4", "adapter-events-9"],
    title: "Measures inactivity from the last activity of any kind",
    async check(bench) {
      const line: AgentStep = { do: "line", text: '{"type":"contract_beat"}' };
      const beats = Array.from({ length: 9 }, (): AgentStep[] => [{ do: "wait", ms: 500 }, line]).flat();
      const steps = [START, TEXT, ...beats, SUCCESS];
      completedOf(await bench.run({ turns: [steps], config: { stall_timeout_ms: 4_000 } }));
    },
  },
  {
    id: "adapter/startup-timeout",
    requirement: ["adapter-timeouts-3"],
    title: "Ends an agent that produces no output at all with response_timeout",
    async check(bench) {
      const run = await bench.run({ turns: [[HANG]], config: { startup_timeout_ms: 1_000, stop_grace_ms: 500 } });
      const { durationMs } = failedOf(run, "adapter.response_timeout");
      assertEnded(run, durationMs);
    },
  },
  {
    id: "adapter/child-holds-pipes",
    requirement: ["adapter-fork-9", "adapter-fork-2"],
    title: "Ends a turn when its process exits, although a child process holds the output open",
    async check(bench) {
      const run = await bench.run({ turns: [[START, TEXT, { do: "child" }, SUCCESS]] });
      assertEnded(run, completedOf(run).durationMs);
    },
  },
  {
    id: "adapter/daemon-holds-pipes",
    requirement: ["adapter-fork-9"],
    title: "Ends a turn when its process exits, although a daemon with a separate process group holds the output open",
    async check(bench) {
      const run = await bench.run({ turns: [[START, TEXT, { do: "child", detached: true }, SUCCESS]] });
      const { durationMs } = completedOf(run);
      assert.ok(durationMs < MOST_MS, `It took ${durationMs} ms.`);
    },
  },
  {
    id: "adapter/question",
    requirement: ["adapter-outcome-12"],
    title: "Ends the turn with turn_input_required and the question if the agent asks the user",
    async check(bench) {
      const run = await bench.run({ turns: [[START, TEXT, { do: "ask", question: "Which of the two?" }, SUCCESS]] });
      needs(run, "questions");
      const { result, events } = turnOf(run);
      assert.deepEqual([result.exitReason, result.error?.code], ["turn_input_required", "adapter.turn_input_required"]);
      assert.ok(result.error?.message.includes("Which of the two?"), result.error?.message);
      assert.equal(events.at(-1)?.type, "turn_input_required");
    },
  },
  {
    id: "adapter/stderr-flood",
    requirement: ["adapter-fork-3", "adapter-fork-7"],
    title: "Reads standard error while the agent works, whatever its size",
    async check(bench) {
      const flood: AgentStep = { do: "stderr", text: "x".repeat(1_000), times: 3_000 };
      completedOf(await bench.run({ turns: [[START, flood, TEXT, SUCCESS]] }));
    },
  },
  {
    id: "adapter/stderr-told",
    requirement: ["adapter-fork-8"],
    title: "Reports standard error once if a turn fails, and not if the turn succeeds or is cancelled",
    async check(bench) {
      const text = "contract: something is wrong";
      const noisy: readonly AgentStep[] = [START, TEXT, { do: "stderr", text }];
      const countOf = ({ events }: TurnRun): number =>
        events.slice(0, -1).filter(({ message }) => message?.includes(text)).length;
      const failed = turnOf(await bench.run({ turns: [{ steps: noisy, exitCode: 3 }] }));
      assert.equal(countOf(failed), 1, "Standard error must be reported exactly once");
      const works = completedOf(await bench.run({ turns: [[...noisy, SUCCESS]] }));
      assert.equal(countOf(works), 0, "Standard error was reported for a successful turn");
      const cancelled = turnOf(await bench.run({ turns: [[...noisy, HANG]] }, { cancel: "signal" }));
      assert.equal(countOf(cancelled), 0, "Standard error was reported for a cancelled turn");
    },
  },
  {
    id: "adapter/failure-keeps-usage",
    requirement: ["adapter-outcome-15"],
    title: "Returns the session id and the tokens used for a failed turn",
    async check(bench) {
      const usage: AgentStep = { do: "usage", id: "r", inputTokens: 10, outputTokens: 2 };
      const run = await bench.run({ turns: [{ steps: [START, TEXT, usage], exitCode: 3 }] });
      const { result } = failedOf(run, "adapter.port_exit");
      assert.notEqual(result.sessionId, "");
      const measures = run.subject.adapter.capabilities.usage === "incremental";
      assert.equal(
        result.usage.totalTokens,
        measures ? 12 : 0,
        "The tokens do not match the adapter's declared usage reporting",
      );
    },
  },
  {
    id: "adapter/text-before-failure",
    requirement: ["adapter-outcome-7"],
    title: "Does not treat a reported failure with work as a success",
    async check(bench) {
      const end: AgentStep = { do: "end", kind: "failure", problem: "limit" };
      const run = await bench.run({ turns: [[...WORKS.slice(0, 2), TEXT, end]] });
      needs(run, "failures");
      failedOf(run, "adapter.turn_failed");
    },
  },
];
