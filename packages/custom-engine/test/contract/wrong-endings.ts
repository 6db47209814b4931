import { EngineError, hasErrorClass } from "@switchyard/contracts";
import type { TransportSetting } from "@switchyard/testkit";
import {
  but,
  butLocal,
  type Changes,
  custom,
  DEAF,
  NEVER,
  reported,
  results,
  type WrongTransport,
} from "./wrong-transport.ts";

function fails({ behaviour }: TransportSetting): boolean {
  return behaviour.calls[0]?.fails === true;
}

/** Rejects as soon as the run is cancelled, although the call continues. */
const leaving: Changes = {
  execute: (engine, run, { host, board }) => {
    const cancelled = new Promise<never>((_, reject) => {
      run.signal.addEventListener("abort", () => reject(new EngineError("run.cancelled")), { once: true });
    });
    const left = engine.execute({ ...run, signal: NEVER }, host, board);
    left.catch(() => {});
    return Promise.race([left, cancelled]);
  },
};

/** Transports that classify failures incorrectly. */
export const wrongFailing: readonly WrongTransport[] = [
  {
    fault: "a failed call is a good one",
    noticedBy: [
      ...["transport/text-failed", "transport/failure-diagnostics", "transport/failure-claims-success"],
      "transport/failure-unreadable",
    ],
    factory: but({
      outcome: ({ result }, setting) =>
        fails(setting) && result !== undefined ? { error: undefined, result: { ...result, exit_code: 0 } } : {},
    }),
  },
  {
    fault: "a failed call has no result",
    noticedBy: ["transport/failure-claims-success", "transport/failure-keeps-result", "transport/text-failed"],
    factory: but({
      outcome: (_, setting) => (fails(setting) ? { result: { exit_code: 1, final_message: "", stderr: "" } } : {}),
    }),
  },
  {
    fault: "whatever goes wrong is an error of the result",
    noticedBy: [
      ...["diagnostics", "unreadable", "absent", "breaks"].map((name) => `transport/failure-${name}`),
      ...["transport/timeout", "transport/timeout-trickle", "transport/flood"],
    ],
    factory: but({
      outcome: ({ error }) =>
        EngineError.is(error) && error.code.startsWith("transport.")
          ? { error: new EngineError("result.invalid", { problem: "it is missing" }) }
          : {},
    }),
  },
  {
    fault: "a call is made twice",
    noticedBy: [
      "transport/failure-not-repeated",
      "transport/failure-breaks",
      "transport/stateful-failed",
      "transport/input-message",
    ],
    factory: but({ received: (call) => [call, call] }),
  },
];

/** Transports that end wrongly. */
export const wrongEnding: readonly WrongTransport[] = [
  {
    fault: "the engine's time is forgotten",
    noticedBy: [
      "transport/timeout",
      "transport/timeout-trickle",
      "transport/timeout-partial",
      "transport/input-timeout",
    ],
    factory: but({ setting: custom(() => ({ timeout_seconds: undefined })) }),
  },
  {
    fault: "the case's time is forgotten",
    noticedBy: ["transport/timeout-of-case", "transport/input-timeout"],
    factory: but({ input: (input) => ({ ...input, timeout_seconds: undefined }) }),
  },
  {
    fault: "a time that no timer measures is over at once",
    noticedBy: ["transport/timeout-of-months"],
    factory: but({
      outcome: (_, { custom: { timeout_seconds: seconds } }) =>
        Number(seconds) > 2_147_483 ? { error: new EngineError("transport.timeout", { timeoutMs: 1 }) } : {},
    }),
  },
  {
    fault: "a result that was made up does not say so",
    noticedBy: ["transport/timeout"],
    factory: but({ outcome: results(({ exit_code }) => (exit_code === 124 ? { exit_code: 1, stderr: "" } : {})) }),
  },
  {
    fault: "what had arrived until the timeout is lost",
    noticedBy: ["transport/timeout-partial"],
    factory: but({
      outcome: ({ error }) =>
        EngineError.is(error, "transport.timeout") ? { result: { exit_code: 124, final_message: "" } } : {},
    }),
  },
  {
    fault: "nobody listens to signals",
    noticedBy: ["transport/cancelled", "transport/cancelled-answering"],
    factory: but({ execute: (engine, run, { host, board }) => engine.execute({ ...run, signal: NEVER }, host, board) }),
  },
  {
    fault: "nobody listens to interrupts",
    noticedBy: ["transport/interrupted"],
    factory: but({ host: () => DEAF }),
  },
  {
    fault: "to be stopped is a failure like any other",
    noticedBy: ["transport/cancelled", "transport/interrupted", "transport/cancelled-answering"],
    factory: but({
      outcome: ({ error }) =>
        hasErrorClass(error, "aborted") || hasErrorClass(error, "interrupted")
          ? { error: new EngineError("transport.failed", { problem: "it was stopped" }) }
          : {},
    }),
  },
  {
    fault: "a connection is left open",
    noticedBy: ["transport/cancelled", "transport/cancelled-answering"],
    factory: but(leaving),
  },
  {
    fault: "a process is left running",
    noticedBy: ["transport/cancelled", "local-transport/stubborn"],
    factory: butLocal(leaving),
  },
  {
    fault: "the beginning of a flood is an answer",
    noticedBy: ["transport/flood"],
    factory: but({
      call: (call) =>
        call.manner === "flood" ? { answer: { exit_code: 0, final_message: "xxxx" }, manner: "whole" } : call,
    }),
  },
];

/** Transports that lose data of a conversation. */
export const wrongConversing: readonly WrongTransport[] = [
  {
    fault: "all turns are one call",
    noticedBy: [
      "transport/stateful-turns",
      "transport/stateful-sum",
      "transport/stateful-no-id",
      "transport/setting-stateful-text",
    ],
    factory: but({ setting: custom(() => ({ conversation_mode: undefined })) }),
  },
  {
    fault: "the id of a conversation is not handed on",
    noticedBy: ["transport/stateful-turns"],
    factory: but({ received: reported((input) => ({ ...input, session_id: undefined })) }),
  },
  {
    fault: "ids are masked like secrets",
    noticedBy: ["transport/stateful-same-id"],
    factory: but({
      received: reported(({ session_id: id, ...input }) => ({
        ...{ ...input, session_id: String(id).startsWith("conversation-") ? "***REDACTED***" : id },
      })),
    }),
  },
  {
    fault: "the last turn is all there is",
    noticedBy: ["transport/stateful-sum"],
    factory: but({
      outcome: results(({ input_tokens, transcript }) =>
        input_tokens === 20 ? { input_tokens: 10, duration_ms: 100, transcript: transcript?.slice(2) } : {},
      ),
    }),
  },
];
