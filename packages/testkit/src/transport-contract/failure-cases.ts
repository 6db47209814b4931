import assert from "node:assert/strict";
import { hasErrorClass, messageOf } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import {
  DONE,
  failureOf,
  resultOf,
  runSubject,
  says,
  type TransportBench,
  type TransportRun,
  toInput,
} from "./transport-bench.ts";

const SECOND = { timeout_seconds: 1 } as const;

async function assertStopped(run: TransportRun): Promise<void> {
  assert.equal(run.received.length <= 1, true, "the call was made again");
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
    title: "A call that failed without a result is an error of the call, and what was said reaches the host",
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
    title: "A call that failed is no success although its result claims so; the rest of the result is kept",
    async check(bench) {
      const run = await bench.run({ does: { answer: { ...DONE, turns: 4 }, fails: true } });
      assert.ok((run.result?.exit_code ?? 0) !== 0, "a failed call passed for a success");
      assert.deepEqual([run.result?.final_message, run.result?.turns], ["done", 4]);
    },
  },
  {
    id: "transport/failure-keeps-result",
    requirement: ["custom-local-14", "custom-http-8", "custom-errors-3"],
    title: "A call that failed with a result that says so keeps that result",
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
    title: "A call that failed with an unreadable answer is an error of the call, not of the result",
    async check(bench) {
      const run = await bench.run({ does: { text: "Segmentation fault", fails: true } });
      failureOf(run, "transport.");
      assert.match(run.result?.stderr ?? "", /Segmentation fault/);
    },
  },
  {
    id: "transport/failure-absent",
    requirement: ["custom-local-15", "custom-http-11", "custom-errors-1"],
    title: "An engine that is not there is an error of the call that says it is not available",
    async check(bench) {
      const run = await bench.run({ behaviour: { calls: [], isAbsent: true } });
      assert.equal(failureOf(run, "transport.").class, "not_available");
      assert.equal(run.received.length, 0);
    },
  },
  {
    id: "transport/failure-breaks",
    requirement: ["custom-http-11", "custom-errors-1", "custom-http-14"],
    title: "An engine that is gone in the middle of its answer is an error of the call, and is not called again",
    async check(bench) {
      const answer = { exit_code: 0, final_message: "@fill@" };
      const run = await bench.run({ does: { answer, fill: 1_000, manner: "breaks" } });
      failureOf(run, "transport.");
      assert.equal(run.received.length, 1);
      assert.ok((run.result?.exit_code ?? 1) !== 0, "half an answer passed for a success");
    },
  },
  {
    id: "transport/failure-not-repeated",
    requirement: ["custom-http-14"],
    title: "A call is made once, whatever it comes to",
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
    title: "An engine that does not answer in its time is stopped, and a result with exit code 124 says so",
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
    title: "An engine without a time of its own is stopped when that of the case is over",
    async check(bench) {
      const run = await bench.run({ does: { manner: "never" } }, { input: SECOND });
      assertClassOf(run, "timeout");
      await assertStopped(run);
    },
  },
  {
    id: "transport/timeout-of-months",
    requirement: ["custom-timeout-3", "custom-config-9"],
    title: "A time that no timer can measure is a long time, not none",
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
    title: "An engine that says something all the time has no more time than others",
    async check(bench) {
      const run = await bench.run({ custom: SECOND, does: { manner: "trickle" } });
      failureOf(run, "transport.timeout");
      await assertStopped(run);
    },
  },
  {
    id: "transport/timeout-partial",
    requirement: ["custom-errors-6", "custom-errors-5"],
    title: "A result that an engine gave before it was stopped by its timeout is kept, and is no success",
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
    title: "A run that is cancelled rejects as aborted and leaves no call behind",
    async check(bench) {
      const run = await bench.run({ does: { manner: "never" } }, { stop: "signal" });
      assertClassOf(run, "aborted");
      await assertStopped(run);
    },
  },
  {
    id: "transport/interrupted",
    requirement: ["custom-http-16", "custom-process-2", "custom-process-5"],
    title: "A run that is interrupted rejects as interrupted, with the cause, and leaves no call behind",
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
    title: "A run that is cancelled while its engine answers leaves no call behind",
    async check(bench) {
      const run = await bench.run({ does: { manner: "trickle" } }, { stop: "signal" });
      assertClassOf(run, "aborted");
      await assertStopped(run);
    },
  },
  {
    id: "transport/flood",
    requirement: ["custom-result-bounds-6", "custom-http-13", "custom-process-5"],
    title: "An answer without end is cut off, with an error that names the limit",
    async check(bench) {
      const run = await bench.run({ does: { manner: "flood" } });
      const { details } = failureOf(run, "transport.response_too_large");
      assert.ok(Number(details["maxBytes"]) > 0, "no limit is named");
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
    title: "Each message of the user is a call of its own, which gets the id that the one before it answered",
    async check(bench) {
      const does = ["first", "second", "third"].map((session_id) => ({ answer: { ...DONE, session_id } }));
      const input = { messages: says("one", "not said by it", "two", "nor that", "three") };
      const run = await bench.run({ custom: STATEFUL, does }, { input });
      resultOf(run);
      const calls = run.received.map(toInput).map(({ session_id, messages }) => ({ session_id, messages }));
      assert.deepEqual(calls, [
        { session_id: undefined, messages: says("one") },
        { session_id: "first", messages: says("two") },
        { session_id: "second", messages: says("three") },
      ]);
    },
  },
  {
    id: "transport/stateful-same-id",
    requirement: ["custom-session-input-8", "custom-masking-1"],
    title: "An id that stays the same, or grows, is handed on as it was answered",
    async check(bench) {
      const ids = ["conversation-0123", "conversation-0123", "conversation-0123.4", "conversation-0123.4"];
      const does = ids.map((session_id) => ({ answer: { ...DONE, session_id } }));
      const input = { messages: says("1", "", "2", "", "3", "", "4") };
      const run = await bench.run({ custom: STATEFUL, apiKey: "0123-of-the-key", does }, { input });
      resultOf(run);
      const handed = run.received.map(toInput).map(({ session_id }) => session_id);
      assert.deepEqual(handed, [undefined, ...ids.slice(0, 3)]);
    },
  },
  {
    id: "transport/stateful-sum",
    requirement: ["custom-session-result-8", "custom-transcript-3"],
    title: "The result of a stateful conversation is the sum of its calls",
    async check(bench) {
      const does = ["a", "b"].map((name, index) => ({
        answer: {
          ...{ exit_code: 0, final_message: name, session_id: "s", input_tokens: 10, output_tokens: index + 1 },
          ...{ duration_ms: 100, artifacts: { files: [{ name, content: name }], logs: name } },
        },
      }));
      const result = resultOf(await bench.run({ custom: STATEFUL, does }, { input: { messages: says("1", "", "2") } }));
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
    title: "An answer without an id is an error of the result where another turn follows, and only there",
    async check(bench) {
      const run = await bench.run(
        { custom: STATEFUL, does: { answer: DONE } },
        { input: { messages: says("1", "", "2"), case_id: "c1" } },
      );
      assert.match(failureOf(run, "result.invalid").message, /c1.*turn 1.*session_id/s);
      assert.equal(run.received.length, 1);
      resultOf(await bench.run({ custom: STATEFUL, does: { answer: DONE } }));
    },
  },
  {
    id: "transport/stateful-failed",
    requirement: "custom-errors-3",
    title: "A turn that failed is the last",
    async check(bench) {
      const does = { answer: { exit_code: 3, final_message: "gave up", session_id: "s" } };
      const run = await bench.run({ custom: STATEFUL, does }, { input: { messages: says("1", "", "2") } });
      assert.deepEqual([resultOf(run).exit_code, resultOf(run).final_message], [3, "gave up"]);
      assert.equal(run.received.length, 1);
    },
  },
  {
    id: "transport/stateful-anew",
    requirement: ["custom-session-input-8", "custom-http-15"],
    title: "A session never goes on with the id of another one",
    async check(bench) {
      const subject = await bench.open({ custom: STATEFUL, does: { answer: { ...DONE, session_id: "of the first" } } });
      await runSubject(subject);
      const later = await runSubject(subject);
      assert.equal(later.received.map(toInput)[0]?.session_id, undefined);
    },
  },
];
