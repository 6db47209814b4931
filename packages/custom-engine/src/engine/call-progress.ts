import { DEPENDENCY, type EffectJournal, EngineError, isEffectJournal } from "@switchyard/contracts";
import { createCheckpoint, getDependency } from "@switchyard/engine";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { type ConversationState, writeState } from "./conversation.ts";
import type { Job } from "./job.ts";

/**
 * Throws `transport.unknown_outcome` if an interrupted call must not be repeated, because it may have had effects. See
 * durability promise D4.
 */
export function assertOutcomeKnown(
  { name, effects }: CustomEngineConfig,
  { isCalling, calls }: ConversationState,
): void {
  if (!isCalling || effects !== "unsafe") return;
  throw new EngineError("transport.unknown_outcome", { engine: name, call: calls + 1 });
}

/** Id of the next call in the journal of the run, a log of its actions. */
function callId({ calls }: ConversationState): string {
  return `call-${calls + 1}`;
}

/**
 * Returns the run's journal, a log of its actions. `undefined` if the host (the program that starts the run) does not
 * execute the run in steps.
 */
function journalOf({ run: { deps } }: Pick<Job, "run">): EffectJournal | undefined {
  const key = DEPENDENCY.effectJournal;
  return deps.has(key) ? getDependency(deps, key, isEffectJournal) : undefined;
}

/**
 * Stores that the next call starts. Rejects with `transport.unknown_outcome` if an earlier process may have started
 * this call, and the call must not be repeated.
 */
export async function declareCall(job: Job, state: ConversationState): Promise<void> {
  const journal = journalOf(job);
  if (journal === undefined) {
    if (!state.isCalling) await storeState(job, { ...state, isCalling: true });
    return;
  }
  const [id, { name, effects }] = [callId(state), job.config];
  if (journal.find(id).kind === "new") {
    journal.intend([{ id, name, effects }]);
    // The journal (log of the run's actions) contains the start of the call, so the board (shared run state) need not
    // contain it.
    await storeState(job, state);
  }
  assertOutcomeKnown(job.config, { ...state, isCalling: journal.find(id).kind !== "intended" });
  if (effects === "unsafe") journal.begin(id);
}

/** Stores that a call has ended, with the progress of the run after this call. `before` is the progress before it. */
export async function storeEndOfCall(job: Job, before: ConversationState, after: ConversationState): Promise<void> {
  journalOf(job)?.forget([callId(before)]);
  await storeState(job, after);
}

/** Stores the progress before and after each call, so that a finished call is never repeated. */
async function storeState({ run, host, board, options }: Job, state: ConversationState): Promise<void> {
  const { calls, isCalling } = state;
  writeState(board, state);
  const step = isCalling ? `call ${calls + 1}` : `call ${calls} done`;
  await host.checkpoint(createCheckpoint(run, board, { step, iteration: calls, now: options.now }));
}
