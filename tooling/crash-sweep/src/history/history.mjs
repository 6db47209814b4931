// @ts-check

/** @import { Envelope, RunRecord, SessionReport, TranscriptMessage, Usage } from "@switchyard/contracts" */

/**
 * A moment recorded by a worker or by its driver. A write is recorded when it begins and after it was acknowledged.
 * @typedef {{ at: "accepted", pid: number, runId: string }
 * | { at: "acquired", pid: number, epoch: number, takeOver: boolean }
 * | { at: "locked_out", pid: number, code: string }
 * | { at: "began", pid: number, write: number, kind: WriteKind, epoch: number, digest?: string, ids?: string[], status?: string }
 * | { at: "done", pid: number, write: number, kind: WriteKind, epoch: number }
 * | { at: "refused", pid: number, write: number, kind: WriteKind, epoch: number, code: string }
 * | { at: "resumed", pid: number, attempt: number, digest: string | null, left?: string[] }
 * | { at: "answered", pid: number, responseId: string, usage: Usage }
 * | { at: "seen", pid: number, seq: number, id: string }
 * | { at: "struck", pid: number, number: number, label: string, signal: string }
 * | { at: "ready", pid: number }
 * | { at: "told", pid: number, status: string, code: string | undefined, problem: string | undefined }
 * | { at: "asked", pid: number, promptId: string }
 * | { at: "ended", pid: number, how: string }
 * | { at: "left", commands: string[] }
 * | { at: "observed", listed: boolean, status?: string, finishedAt?: string, isResumable?: boolean,
 * digest: string | null, problems: string[], ids: string[] }} Moment
 */

/** @typedef {"append" | "save" | "update" | "finish"} WriteKind */

/** One effect in the ledger. @typedef {{ operation: string, attempt: number, pid: number }} LedgerEntry */

/**
 * Final state of a finished run. `members` are the conversations of its subagents.
 * @typedef {{ record: RunRecord, report: SessionReport, events: readonly Envelope[],
 * workspace: Readonly<Record<string, string>>,
 * members: Readonly<Record<string, readonly TranscriptMessage[]>> }} FinalState
 */

/**
 * Everything recorded about one run in all its attempts.
 * @typedef {object} History
 * @property {string} runId Id of the run.
 * @property {boolean} powerLoss Whether what was not flushed was lost with each kill.
 * @property {readonly Moment[]} moments What happened, in order.
 * @property {readonly LedgerEntry[]} ledger The effects, in order.
 * @property {FinalState | undefined} final What was left; nothing when the run never came to its end.
 * @property {FinalState | undefined} reference What an uninterrupted run leaves; nothing in that run itself.
 */

/**
 * A violated guarantee, D1 to D14 of the reliability design.
 * @typedef {{ promise: PromiseId, kind: ViolationKind, detail: string }} Violation
 */

/** @typedef {"D1" | "D2" | "D3" | "D4" | "D5" | "D6" | "D7" | "D8" | "D9" | "D14"} PromiseId */

/**
 * @typedef {"run_absent" | "run_stuck" | "checkpoint_lost" | "torn_read" | "duplicate_effect" | "double_outcome"
 *   | "fabricated_outcome" | "effect_without_intent" | "unfounded_ambiguity" | "epoch_order" | "stale_write"
 *   | "two_writers" | "wrong_refusal" | "terminal_records" | "seq_gap" | "event_lost" | "event_changed"
 *   | "difference" | "usage"
 *   | "process_left" | "question"} ViolationKind
 */

/**
 * Returns the moments of one kind, with their index.
 * @template {Moment["at"]} K
 * @param {History} history
 * @param {K} at
 * @returns {{ index: number, moment: Extract<Moment, { at: K }> }[]}
 */
export function momentsOf(history, at) {
  return history.moments.flatMap((moment, index) => {
    return moment.at === at ? [{ index, moment: /** @type {Extract<Moment, { at: K }>} */ (moment) }] : [];
  });
}

/**
 * Returns whether any process of the run was killed or stopped. Only then may an outcome be unknown.
 * @param {History} history
 * @returns {boolean}
 */
export function wasInjured(history) {
  return momentsOf(history, "ended").some(({ moment }) => moment.how !== "exit 0") || acquisitions(history).length > 1;
}

/**
 * Returns the acquisitions of the run, including its creation, in order.
 * @param {History} history
 * @returns {{ index: number, epoch: number, pid: number, takeOver: boolean }[]}
 */
export function acquisitions(history) {
  return momentsOf(history, "acquired").map(({ index, moment: { epoch, pid, takeOver } }) => {
    return { index, epoch, pid, takeOver };
  });
}
