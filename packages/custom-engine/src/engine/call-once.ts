import {
  ARTIFACT_ORIGINS,
  type Board,
  DROPPED_ARTIFACTS,
  ENGINE_FILES,
  EngineError,
  SESSION_RESULT,
  type SessionMessage,
} from "@switchyard/contracts";
import { errorOfSignal, interruptedError, watchInterrupts } from "@switchyard/engine";
import { confineArtifacts } from "../result/confine-artifacts.ts";
import { type CallOutcome, toCallOutcome } from "../result/to-call-outcome.ts";
import type { PreparedCall } from "../transport/transport.ts";
import { limitsOf } from "./call-limits.ts";
import { declareCall, storeEndOfCall } from "./call-progress.ts";
import { type ReportedUsage, settleUsage } from "./call-usage.ts";
import { type ConversationState, mergeResults } from "./conversation.ts";
import { createCall } from "./create-call.ts";
import type { EventPublisher } from "./event-publisher.ts";
import type { Job } from "./job.ts";

/** The next call of the custom engine in a run. */
interface PlannedCall {
  /** Progress of the run before this call. If the call is interrupted, it is repeated from this state. */
  readonly state: ConversationState;
  readonly messages: readonly SessionMessage[];
  readonly isLast: boolean;
}

/**
 * Makes one call of the custom engine, and resolves with the progress of the run after the call. Rejects if the call
 * failed or was interrupted; the board (shared run state) then contains the result so far.
 */
export async function callOnce(job: Job, { state, messages, isLast }: PlannedCall): Promise<ConversationState> {
  const { board, config, host } = job;
  const limits = limitsOf(job, state);
  const { call, events } = createCall(job, { state, messages, limits });
  using interrupts = watchInterrupts(job.run.signal, host.interrupts());
  const { signal: ended } = job.modelAccess ?? {};
  const signal = ended === undefined ? interrupts.signal : AbortSignal.any([interrupts.signal, ended]);
  const prepared = await job.transport.prepare({ ...call, signal });
  storeBoardKeys(board, prepared);
  await declareCall(job, state);
  const prompt = messages.findLast(({ role }) => role === "user")?.content ?? "";
  events.publish("user_input", { content: call.masker.mask(prompt) });
  const started = performance.now();
  const measuredBefore = job.modelAccess?.measuredUsage?.();
  let outcome: CallOutcome;
  try {
    outcome = toCallOutcome(await prepared.run(), call, performance.now() - started);
  } finally {
    await events.settled();
  }
  const { settled, reported } = settleUsage(outcome, job.modelAccess, measuredBefore);
  const { result: confined, dropped } = await confineArtifacts(settled.result, call, prepared.engineFiles);
  if (dropped.length > 0) board.set(DROPPED_ARTIFACTS, [...(board.get(DROPPED_ARTIFACTS) ?? []), ...dropped]);
  await events.settled();
  const turn = state.calls + 1;
  const result = config.conversationMode === "batch" ? confined : mergeResults(state.result, confined, turn);
  board.set(SESSION_RESULT, result);
  await report(job, events, { message: confined.final_message, ...reported });
  if (interrupts.interrupt !== undefined) throw interruptedError(interrupts.interrupt);
  if (job.run.signal.aborted) throw errorOfSignal(job.run.signal, { cause: settled.error });
  if (ended?.aborted === true) throw ended.reason;
  if (settled.error !== undefined)
    throw limits.isCase && settled.error.code === "transport.timeout" ? timedOut(job, settled.error) : settled.error;
  const sessionId = sessionIdOf(job, confined, { turn, isLast });
  const usedMs = state.usedMs + (performance.now() - started);
  const next: ConversationState = { calls: turn, isCalling: false, usedMs, sessionId, result };
  await storeEndOfCall(job, state, next);
  return next;
}

function timedOut({ input }: Job, cause: EngineError): EngineError {
  return new EngineError("run.timed_out", { timeoutMs: (input.timeout_seconds ?? 0) * 1000 }, { cause });
}

function storeBoardKeys(board: Board, { engineFiles, origin }: PreparedCall): void {
  if (engineFiles.length > 0) board.set(ENGINE_FILES, [...engineFiles]);
  if (origin !== undefined) board.set(ARTIFACT_ORIGINS, [origin]);
}

async function report(
  { host }: Job,
  events: EventPublisher,
  { message, usage, warning }: ReportedUsage & { readonly message: string },
): Promise<void> {
  events.publish("assistant_text_end", { content: message });
  if (warning !== undefined) events.publish("warning", { kind: "model_access", message: warning });
  if (usage !== undefined) {
    events.publish("usage_reported", { usage });
    await events.settled();
    await host.reportUsage(usage);
  }
  await events.settled();
}

/** Returns the session id for the next call. */
function sessionIdOf(
  { config, input }: Job,
  result: { session_id?: string | undefined },
  { turn, isLast }: { turn: number; isLast: boolean },
): string | undefined {
  if (config.conversationMode === "batch") return undefined;
  const { session_id: id } = result;
  if (id !== undefined && id !== "") return id;
  if (isLast) return undefined;
  const problem = `case ${input.case_id ?? "(unnamed)"} turn ${turn}: custom stateful engine returned no session_id; turn ${turn + 1} cannot resume`;
  throw new EngineError("result.invalid", { problem });
}
