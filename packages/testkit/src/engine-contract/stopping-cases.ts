import assert from "node:assert/strict";
import { type Cause, EngineError, type ErrorClass } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { isPending, settle } from "../contract/expectations.ts";
import {
  type AttemptOptions,
  assertCompleted,
  assertRejected,
  attemptRun,
  type RunningAttempt,
  startRun,
} from "./attempt-run.ts";
import type { EngineSubject } from "./engine-subject.ts";
import { watchedHost } from "./watched-host.ts";

const CAUSES: readonly Cause[] = ["", "user_cancel", "user_input", "host_shutdown", "custom"];
const MOST_CALLS = 12;

/** A way to stop a run, by interrupt or signal, at a time that the conformance case chooses. */
interface Stop {
  readonly errorClass: ErrorClass;
  /** Returns the options of the run, and a function that stops it. */
  prepare(): { readonly options: AttemptOptions; fire(attempt: { interrupt(): void }): void };
}

const INTERRUPT: Stop = {
  errorClass: "interrupted",
  prepare: () => ({ options: {}, fire: ({ interrupt }) => interrupt() }),
};

const ABORT: Stop = {
  errorClass: "aborted",
  prepare: () => {
    const controller = new AbortController();
    return { options: { run: { signal: controller.signal } }, fire: () => controller.abort() };
  },
};

/**
 * Stops a run during each of its first calls to the host. The run must complete, or reject with the error class that
 * belongs to the kind of stop.
 */
async function stopAtEveryCall(subject: EngineSubject, stop: Stop): Promise<void> {
  for (let call = 1; call <= MOST_CALLS; call += 1) {
    const { options, fire } = stop.prepare();
    let fired = false;
    const attempt = await attemptRun(subject, {
      ...options,
      wrap: (recorder) =>
        watchedHost(recorder, (number) => {
          if (number !== call) return;
          fired = true;
          fire({ interrupt: () => void recorder.interrupt({ cause: "user_cancel" }) });
        }),
    });
    if (!fired) return applies(call > 1, "the engine never calls its host");
    const label = `A run that was stopped during its call ${call} to the host`;
    // At the first call, all work remains, so the run must not complete.
    // At a later call, the run may be about to complete.
    if (call === 1 || attempt.error !== undefined) assertRejected(attempt, stop.errorClass, label);
    else assertCompleted(attempt, label);
  }
}

/** Stops a waiting run. */
async function stopWhileWaiting(subject: EngineSubject, stop: Stop): Promise<void> {
  applies(subject.waiting, "the subject has no waiting run");
  const { options, fire } = stop.prepare();
  const waiting: RunningAttempt = await startRun(subject.waiting, options);
  assert.equal(await isPending(waiting.over), true, "the waiting run ended before it was stopped");
  fire({ interrupt: () => void waiting.host.interrupt({ cause: "user_cancel" }) });
  assertRejected(await waiting.over, stop.errorClass, "A run that was stopped while it waited");
}

/** Conformance cases for interrupts and signals. */
export const stoppingCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/interrupt-before",
    requirement: ["engine-engine-3", "engine-engine-13"],
    title: "Rejects with class interrupted if the run is already interrupted",
    async check(subject) {
      const attempt = await attemptRun(subject, { recording: { interrupt: { cause: "user_cancel" } } });
      assertRejected(attempt, "interrupted", "An interrupted run");
    },
  },
  {
    id: "engine/interrupt-cause",
    requirement: ["engine-engine-3", "engine-interrupt-1", "engine-interrupt-4"],
    title: "Preserves the cause and detail of the interrupt in the error",
    async check(subject) {
      const interrupt = { cause: "custom", detail: "the plug" } as const;
      const attempt = await attemptRun(subject, { recording: { interrupt } });
      const { details } = assertRejected(attempt, "interrupted", "An interrupted run");
      assert.deepEqual({ cause: details["cause"], detail: details["detail"] }, interrupt);
    },
  },
  {
    id: "engine/interrupt-every-cause",
    requirement: ["engine-interrupt-2", "engine-interrupt-3", "engine-interrupt-5"],
    title: "Stops the same way for every cause, also without a cause or detail",
    async check(subject) {
      const ways = new Set<string>();
      for (const cause of CAUSES) {
        const attempt = await attemptRun(subject, { recording: { interrupt: { cause } } });
        const error = assertRejected(attempt, "interrupted", `A run interrupted with the cause "${cause}"`);
        assert.equal(error.details["cause"], cause);
        ways.add(attempt.host.types().join(", "));
      }
      assert.equal(ways.size, 1, `the events differ by cause: ${[...ways].join(" | ")}`);
    },
  },
  {
    id: "engine/interrupt-at-any-call",
    requirement: ["engine-engine-3", "engine-interrupter-2"],
    title: "Rejects with class interrupted if it is interrupted during the run, unless it was about to complete",
    check: (subject) => stopAtEveryCall(subject, INTERRUPT),
  },
  {
    id: "engine/interrupt-wakes",
    requirement: "engine-interrupter-3",
    title: "Wakes a waiting run when it is interrupted",
    check: (subject) => stopWhileWaiting(subject, INTERRUPT),
  },
  {
    id: "engine/no-interrupts",
    requirement: "engine-interrupter-1",
    title: "Is never interrupted if the host has no interrupt source",
    async check(subject) {
      const wrap: AttemptOptions["wrap"] = (recorder) => {
        return { ...watchedHost(recorder, () => {}), interrupts: () => undefined };
      };
      assertCompleted(await attemptRun(subject, { wrap }), "A run without an interrupt source");
    },
  },
  {
    id: "engine/abort-before",
    requirement: "engine-engine-4",
    title: "Rejects with class aborted if the run's signal has already aborted",
    async check(subject) {
      const attempt = await attemptRun(subject, { run: { signal: AbortSignal.abort() } });
      assertRejected(attempt, "aborted", "A cancelled run");
    },
  },
  {
    id: "engine/deadline",
    requirement: ["engine-engine-4", "engine-errors-5"],
    title: "Rejects with class timeout when the time limit is reached, and preserves a classified reason",
    async check(subject) {
      const late = AbortSignal.abort(new DOMException("The time limit was reached.", "TimeoutError"));
      assertRejected(
        await attemptRun(subject, { run: { signal: late } }),
        "timeout",
        "A run that reached its time limit",
      );
      const spent = AbortSignal.abort(new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 }));
      const attempt = await attemptRun(subject, { run: { signal: spent } });
      assertRejected(attempt, "budget_exceeded", "A run that was cancelled because of its budget");
    },
  },
  {
    id: "engine/abort-at-any-call",
    requirement: "engine-engine-4",
    title: "Rejects with class aborted if it is cancelled during the run, unless it was about to complete",
    check: (subject) => stopAtEveryCall(subject, ABORT),
  },
  {
    id: "engine/abort-wakes",
    requirement: ["engine-engine-1", "engine-engine-4"],
    title: "Wakes a waiting run when its signal aborts",
    check: (subject) => stopWhileWaiting(subject, ABORT),
  },
  {
    id: "engine/quiet-when-over",
    requirement: "engine-engine-1",
    title: "Stops all work when the run is over, and does not call its host again",
    async check(subject) {
      for (const stop of [INTERRUPT, ABORT]) {
        const { options, fire } = stop.prepare();
        let calls = 0;
        await attemptRun(subject, {
          ...options,
          wrap: (recorder) =>
            watchedHost(recorder, (number) => {
              calls = number;
              if (number === 2) fire({ interrupt: () => void recorder.interrupt({ cause: "user_cancel" }) });
            }),
        });
        const settled = calls;
        await settle();
        assert.equal(calls, settled, "the host was called after execute had settled");
      }
    },
  },
];
