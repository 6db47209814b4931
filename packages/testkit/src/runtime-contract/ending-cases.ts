import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertEnded, diagnosticOf, mapsOf, type RuntimeBench } from "./runtime-bench.ts";

/** Definition of a conformance case in which the provider command ends without printing an outcome. */
interface Ending {
  readonly id: string;
  readonly requirement: string | readonly string[];
  readonly title: string;
  readonly trial: Parameters<RuntimeBench["run"]>[0];
  /** Expected status, classification and diagnostic of the task. */
  readonly ends: readonly [status: string, classification: string, diagnostic: string];
  /** Pattern of its message. */
  readonly matches?: RegExp | undefined;
}

const ENDINGS: readonly Ending[] = [
  {
    id: "runtime/end-nonzero",
    requirement: "runtime-provider-command-6",
    title: "Treats a nonzero exit code as a missing valid outcome",
    trial: { behaviour: { exit: 3 } },
    ends: ["provider_error", "provider", "agent_task.provider_nonzero_exit"],
    matches: /3/u,
  },
  {
    id: "runtime/end-empty",
    requirement: "runtime-provider-command-8",
    title: "Reports an error of the provider if nothing is printed to standard output",
    trial: { behaviour: { prints: " \n" } },
    ends: ["provider_error", "provider", "agent_task.provider_empty_stdout"],
  },
  {
    id: "runtime/end-malformed",
    requirement: "runtime-provider-command-9",
    title: "Reports an error of the provider if standard output is not JSON",
    trial: { behaviour: { prints: "All went well!" } },
    ends: ["provider_error", "provider", "agent_task.provider_malformed_json"],
  },
  {
    id: "runtime/end-two-documents",
    requirement: ["runtime-provider-command-2", "runtime-provider-command-9"],
    title: "Rejects two documents on standard output as an outcome",
    trial: { behaviour: { prints: '{"status":"succeeded"}\n{"status":"succeeded"}' } },
    ends: ["provider_error", "provider", "agent_task.provider_malformed_json"],
  },
  {
    id: "runtime/end-no-program",
    requirement: ["runtime-provider-command-10", "runtime-outcome-7"],
    title: "Reports a setup error if the program does not exist",
    trial: { provider: { command: "no-such-program-of-anybody --now" } },
    ends: ["provider_error", "provider", "agent_task.provider_command_unavailable"],
  },
  {
    id: "runtime/end-signal",
    requirement: "runtime-provider-command-11",
    title: "Reports an error of the provider if a signal ends the command",
    trial: { behaviour: { signal: "SIGKILL" } },
    ends: ["provider_error", "provider", "agent_task.provider_signal_terminated"],
    matches: /SIGKILL/u,
  },
  {
    id: "runtime/end-timeout",
    requirement: ["runtime-provider-command-12", "runtime-outcome-7"],
    title: "Returns status timeout for a command that exceeds its time limit",
    trial: { behaviour: { prints: "", hangs: true }, request: () => ({ limits: { timeout_ms: 700 } }) },
    ends: ["timeout", "timeout", "agent_task.timeout"],
    matches: /700/u,
  },
  {
    id: "runtime/end-stalled",
    requirement: "runtime-provider-command-20",
    title: "Returns status stalled for a command that is silent for longer than the liveness limit",
    trial: { behaviour: { hangs: true }, request: () => ({ limits: { liveness_timeout_ms: 700 } }) },
    ends: ["provider_error", "stalled", "agent_task.stalled"],
    matches: /700/u,
  },
  {
    id: "runtime/end-flood",
    requirement: "runtime-provider-command-13",
    title: "Accepts no outcome from output above the limit",
    trial: { behaviour: { floods: true }, request: () => ({ limits: { max_output_bytes: 4096 } }) },
    ends: ["provider_error", "provider", "agent_task.provider_output_too_large"],
  },
  {
    id: "runtime/end-wrong-schema",
    requirement: "runtime-provider-command-17",
    title: "Reports an error of the provider for an outcome with another schema",
    trial: { behaviour: { outcome: { schema: "acme/outcome/v2" } } },
    ends: ["provider_error", "provider", "agent_task.provider_wrong_schema"],
  },
  {
    id: "runtime/end-undeclared-status",
    requirement: ["runtime-provider-command-18", "runtime-provider-11"],
    title: "Reports an error of the provider for a status that the provider does not declare",
    trial: { behaviour: { outcome: { status: "timeout" } }, provider: { outcome_statuses: ["succeeded", "failed"] } },
    ends: ["provider_error", "provider", "agent_task.provider_undeclared_status"],
  },
  {
    id: "runtime/end-other-task",
    requirement: ["runtime-provider-command-19", "runtime-outcome-2"],
    title: "Rejects an outcome for another task",
    trial: { behaviour: { outcome: { task_id: "task-8" } } },
    ends: ["provider_error", "provider", "agent_task.provider_wrong_task"],
  },
];

/** Conformance cases for provider commands that print no outcome. */
export const endingCases: readonly CaseBody<RuntimeBench>[] = ENDINGS.map((ending) => ({
  id: ending.id,
  requirement: ending.requirement,
  title: ending.title,
  async check(bench) {
    const run = await bench.run(ending.trial);
    const [status, classification, diagnostic] = ending.ends;
    assertEnded(run, status, classification);
    const message = diagnosticOf(run, diagnostic);
    if (ending.matches !== undefined) assert.match(message, ending.matches);
  },
}));

/** Conformance cases for provider commands that fail, hang or print no valid outcome, and for retries. */
export const attemptCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/end-failed-outcome",
    requirement: ["runtime-provider-command-5", "runtime-provider-command-2", "runtime-outcome-1"],
    title: "Accepts an outcome with exit code 0, whatever its status",
    async check(bench) {
      const behaviour = { outcome: { status: "follow_up_issue", summary: "see the tracker" } };
      const run = await bench.run({ behaviour });
      assertEnded(run, "follow_up_issue", "execution_failed");
      assert.equal(run.outcome["summary"], "see the tracker");
    },
  },
  {
    id: "runtime/end-nonzero-outcome",
    requirement: "runtime-provider-command-7",
    title: "Attaches an outcome that was printed before a nonzero exit as a diagnostic",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { summary: "kept for later" }, exit: 1 } });
      assertEnded(run, "provider_error", "provider");
      diagnosticOf(run, "agent_task.provider_nonzero_exit");
      assert.ok(JSON.stringify(run.outcome["diagnostics"]).includes("kept for later"), "the outcome is not attached");
    },
  },
  {
    id: "runtime/end-stderr",
    requirement: "runtime-provider-command-13",
    title: "Preserves the end of standard error of a failed command",
    async check(bench) {
      const stderr = `${"noise ".repeat(10_000)}\nthe reason is at the end\n`;
      const run = await bench.run({ behaviour: { stderr, prints: "", exit: 4 } });
      assertEnded(run, "provider_error", "provider");
      const diagnostics = JSON.stringify(run.outcome["diagnostics"]);
      assert.ok(diagnostics.includes("the reason is at the end"), "the end of standard error is missing");
      assert.ok(diagnostics.length < 40_000, "standard error is not truncated");
    },
  },
  {
    id: "runtime/end-timeout-artifacts",
    requirement: "runtime-provider-command-12",
    title: "Preserves artifacts that were reported before the time limit",
    async check(bench) {
      const behaviour = { writes: ["half.md"], outcome: { artifacts: [{ path: "half.md" }] }, hangs: true };
      const run = await bench.run({ behaviour, request: () => ({ limits: { timeout_ms: 1500 } }) });
      assertEnded(run, "timeout", "timeout");
      assert.deepEqual(
        mapsOf(run.outcome["artifacts"]).map((one) => one["path"]),
        ["half.md"],
      );
    },
  },
  {
    id: "runtime/end-transient",
    requirement: "runtime-provider-command-21",
    title: "Retries a transient failure",
    async check(bench) {
      const run = await bench.run({ behaviour: { failures: 2 } });
      assertEnded(run, "succeeded");
      assert.equal(run.received.length, 3);
    },
  },
  {
    id: "runtime/end-transient-ends",
    requirement: "runtime-provider-command-21",
    title: "Runs at most three attempts for a transient failure",
    async check(bench) {
      const run = await bench.run({ behaviour: { failures: 9 } });
      assertEnded(run, "failed", "transient");
      assert.equal(run.received.length, 3);
    },
  },
  {
    id: "runtime/end-final",
    requirement: "runtime-provider-command-21",
    title: "Does not retry any other failure",
    async check(bench) {
      const run = await bench.run({ behaviour: { failures: 1, failsAs: "rate_limited" } });
      assertEnded(run, "failed", "rate_limited");
      assert.equal(run.received.length, 1);
    },
  },
  {
    id: "runtime/end-cancelled",
    requirement: "runtime-outcome-3",
    title: "Returns status cancelled for a cancelled task",
    async check(bench) {
      const signal = AbortSignal.timeout(700);
      const run = await bench.run({ behaviour: { prints: "", hangs: true }, signal });
      assertEnded(run, "cancelled", "unknown");
      diagnosticOf(run, "agent_task.cancelled");
    },
  },
];
