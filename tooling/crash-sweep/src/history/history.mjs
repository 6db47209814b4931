// @ts-check

/** @import { Envelope, RunRecord, SessionReport, TranscriptMessage, Usage } from "@switchyard/contracts" */

/**
 * What a worker noted of itself, or the driver of a worker. A write is noted when it begins and when it was
 * acknowledged, never the other way round.
 * @typedef {{ at: "accepted", pid: number, runId: string }
 *   | { at: "acquired", pid: number, epoch: number, takeOver: boolean }
 *   | { at: "locked_out", pid: number, code: string }
 *   | { at: "began", pid: number, write: number, kind: WriteKind, epoch: number, digest?: string, ids?: string[], status?: string }
 *   | { at: "done", pid: number, write: number, kind: WriteKind, epoch: number }
 *   | { at: "refused", pid: number, write: number, kind: WriteKind, epoch: number, code: string }
 *   | { at: "resumed", pid: number, attempt: number, digest: string | null, left?: string[] }
 *   | { at: "answered", pid: number, responseId: string, usage: Usage }
 *   | { at: "seen", pid: number, seq: number, id: string }
 *   | { at: "struck", pid: number, number: number, label: string, signal: string }
 *   | { at: "ready", pid: number }
 *   | { at: "told", pid: number, status: string, code: string | undefined, problem: string | undefined }
 *   | { at: "asked", pid: number, promptId: string }
 *   | { at: "ended", pid: number, how: string }
 *   | { at: "left", commands: string[] }
 *   | { at: "observed", listed: boolean, status?: string, finishedAt?: string, isResumable?: boolean,
 *       digest: string | null, problems: string[], ids: string[] }} Moment
 */

/** @typedef {"append" | "save" | "update" | "finish"} WriteKind */

/**
 * One effect as it reached the world.
 * @typedef {{ operation: string, attempt: number, pid: number }} LedgerEntry
 */

/**
 * What is left when a run is over; `members` are the conversations of its subagents.
 * @typedef {{ record: RunRecord, report: SessionReport, events: readonly Envelope[],
 *   workspace: Readonly<Record<string, string>>,
 *   members: Readonly<Record<string, readonly TranscriptMessage[]>> }} FinalState
 */

/**
 * Everything that is known about one run through all its attempts.
 * @typedef {object} History
 * @property {string} runId Id of the run.
 * @property {boolean} powerLoss Whether what was not flushed was lost with each kill.
 * @property {readonly Moment[]} moments What happened, in order.
 * @property {readonly LedgerEntry[]} ledger The effects, in order.
 * @property {FinalState | undefined} final What was left; nothing when the run never came to its end.
 * @property {FinalState | undefined} reference What an uninterrupted run leaves; nothing in that run itself.
 */

/**
 * A broken promise. The promises are those of the reliability design, D1 to D14.
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
 * The moments of one kind, with their place in the order.
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
 * Whether any process of the run was killed or stopped: only then may an outcome be unknown.
 * @param {History} history
 * @returns {boolean}
 */
export function wasInjured(history) {
  return momentsOf(history, "ended").some(({ moment }) => moment.how !== "exit 0") || acquisitions(history).length > 1;
}

/**
 * How often the run was acquired or created, in order.
 * @param {History} history
 * @returns {{ index: number, epoch: number, pid: number, takeOver: boolean }[]}
 */
export function acquisitions(history) {
  return momentsOf(history, "acquired").map(({ index, moment: { epoch, pid, takeOver } }) => {
    return { index, epoch, pid, takeOver };
  });
}
