import assert from "node:assert/strict";
import { hasErrorClass, messageOf } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import {
  DONE,
  failureOf,
  resultOf,
  runSubject,
  type TransportBench,
  type TransportRun,
  toInput,
  userMessages,
} from "./transport-bench.ts";

const SECOND = { timeout_seconds: 1 } as const;

async function assertStopped(run: TransportRun): Promise<void> {
  assert.equal(run.received.length <= 1, true, "the call was repeated");
  await run.subject?.whenOver();
}

function assertClassOf({ error }: TransportRun, errorClass: "timeout" | "interrupted" | "aborted"): void {
  if (error === undefined) assert.fail(`The run succeeded, expected class ${errorClass}.`);
  assert.ok(hasErrorClass(error, errorClass), `expected class ${errorClass}, got ${messageOf(error)}`);
}

/** Conformance cases for failing calls. */
export const failureCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/failure-diagnostics",
    requirement: ["custom-errors-1", "custom-errors-4", "custom-http-7"],
    title: "Rejects a failed call without a result with an error of the call, and passes its output to the host",
    async check(bench) {
      const run = await bench.run({ does: { fails: true, diagnostics: "no such model\n" } });
      failureOf(run, "transport.");
      assert.equal(run.result?.stderr?.trim(), "no such model");
      assert.ok((run.result?.exit_code ?? 0) !== 0, "the result claims success");
    },
  },
  {
    id: "transport/failure-claims-success",
    requirement: ["custom-local-13", "custom-http-8", "custom-errors-6"],
    title: "Treats a failed call as a failure although its result claims success, and keeps the rest of the result",
    async check(bench) {
      const run = await bench.run({ does: { answer: { ...DONE, turns: 4 }, fails: true } });
      assert.ok((run.result?.exit_code ?? 0) !== 0, "a failed call was returned as a success");
      assert.deepEqual([run.result?.final_message, run.result?.turns], ["done", 4]);
    },
  },
  {
    id: "transport/failure-keeps-result",
    requirement: ["custom-local-14", "custom-http-8", "custom-errors-3"],
    title: "Returns the result of a failed call if the result reports the failure",
    async check(bench) {
      const answer = { exit_code: 42, final_message: "I gave up.", stderr: "at step 3" };
      const run = await bench.run({ does: { answer, fails: true } });
      const { exit_code, final_message, stderr } = run.result ?? {};
      assert.deepEqual({ exit_code, final_message, stderr }, answer);
    },
  },
  {
    id: "transport/failure-unreadable",
    requirement: ["custom-errors-1", "custom-errors-4"],
    title: "Rejects a failed call with an unreadable response with an error of the call, not of the result",
    async check(bench) {
      const run = await bench.run({ does: { text: "Segmentation fault", fails: true } });
      failureOf(run, "transport.");
      assert.match(run.result?.stderr ?? "", /Segmentation fault/);
    },
  },
  {
    id: "transport/failure-absent",
    requirement: ["custom-local-15", "custom-http-11", "custom-errors-1"],
    title: "Rejects a call of an engine that does not exist with class not_available",
    async check(bench) {
      const run = await bench.run({ behaviour: { calls: [], isAbsent: true } });
      assert.equal(failureOf(run, "transport.").class, "not_available");
      assert.equal(run.received.length, 0);
    },
  },
  {
    id: "transport/failure-breaks",
    requirement: ["custom-http-11", "custom-errors-1", "custom-http-14"],
    title: "Rejects a call of an engine that breaks off its response, and does not call the engine again",
    async check(bench) {
      const answer = { exit_code: 0, final_message: "@fill@" };
      const run = await bench.run({ does: { answer, fill: 1_000, manner: "breaks" } });
      failureOf(run, "transport.");
      assert.equal(run.received.length, 1);
      assert.ok((run.result?.exit_code ?? 1) !== 0, "half a response was returned as a success");
    },
  },
  {
    id: "transport/failure-not-repeated",
    requirement: ["custom-http-14"],
    title: "Makes each call once, whatever its outcome",
    async check(bench) {
      for (const does of [{ fails: true }, { text: "no result" }, { answer: { exit_code: 1, final_message: "" } }]) {
        assert.equal((await bench.run({ does })).received.length, 1);
      }
    },
  },
];

/** Conformance cases for calls of an engine that are cancelled or time out. */
export const endingCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/timeout",
    requirement: ["custom-errors-5", "custom-errors-7", "custom-timeout-3", "custom-process-5"],
    title: "Stops an engine that exceeds its time limit, and returns a result with exit code 124",
    async check(bench) {
      const run = await bench.run({ custom: SECOND, does: { manner: "never" } });
      failureOf(run, "transport.timeout");
      assert.equal(run.result?.exit_code, 124);
      assert.match(run.result?.stderr ?? "", /synthesi[sz]ed/);
      await assertStopped(run);
    },
  },
  {
    id: "transport/timeout-of-case",
    requirement: ["custom-timeout-1", "custom-errors-5", "custom-config-9"],
    title: "Stops an engine without a time limit when the session's time limit is reached",
    async check(bench) {
      const run = await bench.run({ does: { manner: "never" } }, { input: SECOND });
      assertClassOf(run, "timeout");
      await assertStopped(run);
    },
  },
  {
    id: "transport/timeout-of-months",
    requirement: ["custom-timeout-3", "custom-config-9"],
    title: "Treats a time limit that is too large for a timer as long, not as zero",
    async check(bench) {
      for (const timeout_seconds of [3_000_000, 30_000_000]) {
        const run = await bench.run({ custom: { timeout_seconds }, does: { answer: DONE, manner: "pieces" } });
        assert.equal(resultOf(run).final_message, "done");
      }
    },
  },
  {
    id: "transport/timeout-trickle",
    requirement: ["custom-timeout-3", "custom-errors-5"],
    title: "Does not extend the time limit of an engine that produces output continuously",
    async check(bench) {
      const run = await bench.run({ custom: SECOND, does: { manner: "trickle" } });
      failureOf(run, "transport.timeout");
      await assertStopped(run);
    },
  },
  {
    id: "transport/timeout-partial",
    requirement: ["custom-errors-6", "custom-errors-5"],
    title: "Returns the result that an engine sent before its timeout, but not as a success",
    async check(bench) {
      const answer = { exit_code: 0, final_message: "all but the end", turns: 7 };
      const run = await bench.run({ custom: { timeout_seconds: 4 }, does: { answer, manner: "hangs" } });
      failureOf(run, "transport.timeout");
      assert.deepEqual([run.result?.final_message, run.result?.turns], ["all but the end", 7]);
      assert.notEqual(run.result?.exit_code, 0);
      await assertStopped(run);
    },
  },
  {
    id: "transport/cancelled",
    requirement: ["custom-http-16", "custom-process-2", "custom-process-5"],
    title: "Rejects a cancelled run as aborted, and leaves no call open",
    async check(bench) {
      const run = await bench.run({ does: { manner: "never" } }, { stop: "signal" });
      assertClassOf(run, "aborted");
      await assertStopped(run);
    },
  },
  {
    id: "transport/interrupted",
    requirement: ["custom-http-16", "custom-process-2", "custom-process-5"],
    title: "Rejects an interrupted run as interrupted with the cause, and leaves no call open",
    async check(bench) {
      const run = await bench.run({ does: { manner: "never" } }, { stop: { cause: "host_shutdown" } });
      assertClassOf(run, "interrupted");
      assert.equal(failureOf(run, "run.").details["cause"], "host_shutdown");
      await assertStopped(run);
    },
  },
  {
    id: "transport/cancelled-answering",
    requirement: ["custom-http-16", "custom-process-2"],
    title: "Leaves no call open if a run is cancelled while its engine responds",
    async check(bench) {
      const run = await bench.run({ does: { manner: "trickle" } }, { stop: "signal" });
      assertClassOf(run, "aborted");
      await assertStopped(run);
    },
  },
  {
    id: "transport/flood",
    requirement: ["custom-result-bounds-6", "custom-http-13", "custom-process-5"],
    title: "Stops reading an endless response, with an error that names the limit",
    async check(bench) {
      const run = await bench.run({ does: { manner: "flood" } });
      const { details } = failureOf(run, "transport.response_too_large");
      assert.ok(Number(details["maxBytes"]) > 0, "the error does not name the limit");
      await assertStopped(run);
    },
  },
];

const STATEFUL = { conversation_mode: "stateful" } as const;

/** Conformance cases for engines that are called once per user message. */
export const statefulCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/stateful-turns",
    requirement: ["custom-session-input-1", "custom-session-input-8"],
    title: "Calls the engine once per user message, with the session id of the previous response",
    async check(bench) {
      const does = ["first", "second", "third"].map((session_id) => ({ answer: { ...DONE, session_id } }));
      const input = { messages: userMessages("one", "not said by it", "two", "nor that", "three") };
      const run = await bench.run({ custom: STATEFUL, does }, { input });
      resultOf(run);
      const calls = run.received.map(toInput).map(({ session_id, messages }) => ({ session_id, messages }));
      assert.deepEqual(calls, [
        { session_id: undefined, messages: userMessages("one") },
        { session_id: "first", messages: userMessages("two") },
        { session_id: "second", messages: userMessages("three") },
      ]);
    },
  },
  {
    id: "transport/stateful-same-id",
    requirement: ["custom-session-input-8", "custom-masking-1"],
    title: "Passes on a session id unchanged, whether it stays the same or grows",
    async check(bench) {
      const ids = ["conversation-0123", "conversation-0123", "conversation-0123.4", "conversation-0123.4"];
      const does = ids.map((session_id) => ({ answer: { ...DONE, session_id } }));
      const input = { messages: userMessages("1", "", "2", "", "3", "", "4") };
      const run = await bench.run({ custom: STATEFUL, apiKey: "0123-of-the-key", does }, { input });
      resultOf(run);
      const handed = run.received.map(toInput).map(({ session_id }) => session_id);
      assert.deepEqual(handed, [undefined, ...ids.slice(0, 3)]);
    },
  },
  {
    id: "transport/stateful-sum",
    requirement: ["custom-session-result-8", "custom-transcript-3"],
    title: "Returns the sum of the calls as the result of a stateful conversation",
    async check(bench) {
      const does = ["a", "b"].map((name, index) => ({
        answer: {
          ...{ exit_code: 0, final_message: name, session_id: "s", input_tokens: 10, output_tokens: index + 1 },
          ...{ duration_ms: 100, artifacts: { files: [{ name, content: name }], logs: name } },
        },
      }));
      const result = resultOf(
        await bench.run({ custom: STATEFUL, does }, { input: { messages: userMessages("1", "", "2") } }),
      );
      const { final_message, turns, input_tokens, output_tokens, duration_ms, transcript, artifacts } = result;
      assert.deepEqual([final_message, turns, input_tokens, output_tokens, duration_ms], ["b", 2, 20, 3, 200]);
      assert.deepEqual(
        transcript?.map(({ content, turn }) => [content, turn]),
        [
          ["1", 1],
          ["a", 1],
          ["2", 2],
          ["b", 2],
        ],
      );
      const files = ["a", "b"].map((name) => ({ name, content: name }));
      assert.deepEqual(artifacts, { files, logs: "a\nb" });
    },
  },
  {
    id: "transport/stateful-no-id",
    requirement: ["custom-session-result-9", "custom-errors-1"],
    title: "Rejects a response without a session id only if another turn follows",
    async check(bench) {
      const run = await bench.run(
        { custom: STATEFUL, does: { answer: DONE } },
        { input: { messages: userMessages("1", "", "2"), case_id: "c1" } },
      );
      assert.match(failureOf(run, "result.invalid").message, /c1.*turn 1.*session_id/s);
      assert.equal(run.received.length, 1);
      resultOf(await bench.run({ custom: STATEFUL, does: { answer: DONE } }));
    },
  },
  {
    id: "transport/stateful-failed",
    requirement: "custom-errors-3",
    title: "Ends the conversation at a turn that failed",
    async check(bench) {
      const does = { answer: { exit_code: 3, final_message: "gave up", session_id: "s" } };
      const run = await bench.run({ custom: STATEFUL, does }, { input: { messages: userMessages("1", "", "2") } });
      assert.deepEqual([resultOf(run).exit_code, resultOf(run).final_message], [3, "gave up"]);
      assert.equal(run.received.length, 1);
    },
  },
  {
    id: "transport/stateful-anew",
    requirement: ["custom-session-input-8", "custom-http-15"],
    title: "Never continues a session with the session id of another one",
    async check(bench) {
      const subject = await bench.open({ custom: STATEFUL, does: { answer: { ...DONE, session_id: "of the first" } } });
      await runSubject(subject);
      const later = await runSubject(subject);
      assert.equal(later.received.map(toInput)[0]?.session_id, undefined);
    },
  },
];
