import {
  addUsage,
  type Checkpoint,
  EngineError,
  type Envelope,
  type FailedAttempt,
  type ModelFallback,
  messageOf,
  type RunRecord,
  type RunStore,
  type SessionReport,
  TERMINAL_RUN_STATUSES,
} from "@switchyard/contracts";
import { controlMessageOf } from "../control/control-dispatcher.ts";
import type { StoredControlMessage } from "../control/control-queue.ts";
import { readNumber, usageInCheckpoint } from "../host/checkpointed-usage.ts";
import { deliveredMessageIds } from "../host/delivered-messages.ts";
import { modelFallbackIn } from "../host/model-fallback-in.ts";
import { createUsageMeter, type EarlierUsage } from "../host/usage-meter.ts";
import { isRecord } from "../input/is-record.ts";
import { addEvent, lacksEvents, NO_WORK, type RecordedWork } from "./recorded-work.ts";

/** State left by earlier attempts, the earlier executions of a run. */
export interface EarlierAttempts {
  /** Number of the last stored event. */
  readonly lastSeq: number;
  /** Usage: tokens and cost. */
  readonly usage: EarlierUsage;
  /**
   * Active time, in milliseconds. Excludes the time of a crashed attempt after its last checkpoint, which is unknown.
   */
  readonly activeMs: number;
  /** User messages that were sent to earlier attempts, but are missing in the last checkpoint. */
  readonly undelivered: readonly StoredControlMessage[];
  /** Attempts that failed and were retried. */
  readonly failed: readonly FailedAttempt[];
  /** Switches to a fallback model. */
  readonly modelFallbacks: readonly ModelFallback[];
  /** Counters of the earlier attempts' work, as recorded in the event log. */
  readonly work: RecordedWork;
  /** Model that the engine reported. `undefined` if the engine reported no model. */
  readonly model?: string | undefined;
  /** First problem that occurred while reading the stored state. `undefined` if none occurred. */
  readonly problem?: string | undefined;
}

/** State of a run without earlier attempts. */
export const NO_EARLIER_ATTEMPTS: EarlierAttempts = {
  lastSeq: 0,
  usage: createUsageMeter().used(),
  activeMs: 0,
  undelivered: [],
  failed: [],
  modelFallbacks: [],
  work: NO_WORK,
};

/**
 * Reads the usage of a run's earlier attempts and the user messages sent to them. The sources are the events, the last
 * checkpoint and the last report. See durability promises D9, D14.
 */
export async function readEarlierAttempts(
  store: Pick<RunStore, "events" | "show">,
  runId: string,
  checkpoint?: Checkpoint,
): Promise<Omit<EarlierAttempts, "lastSeq">> {
  const { record, report, problems } = await store.show(runId);
  const meter = createUsageMeter();
  let activeMs = readNumber(report?.timing.durationMs);
  let model: string | undefined;
  // Problems with record and request were already reported when this process took over the run.
  let problem = report === undefined ? problems[0]?.message : undefined;
  const undelivered: StoredControlMessage[] = [];
  const failed: FailedAttempt[] = [];
  const modelFallbacks: ModelFallback[] = [];
  let [work, endedAttempt] = [NO_WORK, 0];
  const delivered = deliveredMessageIds(checkpoint);
  const note = (envelope: Envelope): void => {
    const { type, payload } = envelope;
    work = addEvent(work, envelope);
    if (type === "run_end") endedAttempt = envelope.attempt;
    // The engine may have published malformed payloads.
    if (type === "usage_reported" && isRecord(payload.usage)) meter.addEvent(payload.usage, payload.response_id);
    if (type === "session_start" && typeof payload.model === "string") model ??= payload.model;
    if (type === "checkpoint_saved") activeMs = Math.max(activeMs, readNumber(payload.active_ms));
    if (type === "retry_scheduled" && isRecord(payload.error)) {
      failed.push({
        attempt: readNumber(payload.attempt),
        error: payload.error,
        delayMs: readNumber(payload.delay_ms),
      });
    }
    const fallback = modelFallbackIn(envelope);
    if (fallback !== undefined) modelFallbacks.push(fallback);
    const control = controlMessageOf(envelope);
    if (control !== undefined && !delivered.has(control.id)) undelivered.push(control);
  };
  try {
    for await (const envelope of store.events(runId)) note(envelope);
  } catch (error) {
    // Damaged events are skipped, because a damaged event must not make the run unusable.
    if (!EngineError.is(error, "run.malformed_record")) throw error;
    problem = messageOf(error);
  }
  const [reported, stored] = [meter.used(), usageInCheckpoint(checkpoint)];
  const hasAll = hasAllEvents({ record, checkpoint, reported, stored: stored?.usage }, { work, endedAttempt });
  if (!hasAll) problem ??= "some of their events are lost";
  const usage = withReportedUsage(withCheckpointUsage(reported, stored?.usage), report);
  activeMs = Math.max(activeMs, stored?.activeMs ?? 0);
  return { usage, activeMs, undelivered, failed, modelFallbacks, work, model, problem };
}

/** Stored state of a run, without its events. */
interface Known {
  readonly record?: RunRecord | undefined;
  readonly checkpoint?: Checkpoint | undefined;
  readonly reported: EarlierUsage;
  readonly stored?: EarlierUsage | undefined;
}

/**
 * Whether the log contains all events that must exist according to the checkpoint and the record. See durability
 * promise D8.
 */
function hasAllEvents(
  { record, checkpoint, reported, stored }: Known,
  { work, endedAttempt }: { work: RecordedWork; endedAttempt: number },
): boolean {
  if (checkpoint !== undefined && (work.lastAttempt === 0 || lacksEvents(checkpoint, work))) return false;
  const isEnded = record !== undefined && TERMINAL_RUN_STATUSES.includes(record.status);
  if (isEnded && endedAttempt !== record.attempt) return false;
  return [...(stored?.answers.keys() ?? [])].every((id) => reported.answers.has(id));
}

/**
 * Merges usage from events and checkpoint: a power failure may lose events, and a checkpoint is older than the last
 * events.
 */
function withCheckpointUsage(reported: EarlierUsage, stored: EarlierUsage | undefined): EarlierUsage {
  if (stored === undefined) return reported;
  const answers = new Map([...stored.answers, ...reported.answers]);
  const missing = [...stored.answers].flatMap(([id, usage]) => (reported.answers.has(id) ? [] : [usage]));
  const usage = missing.reduce(addUsage, reported.usage);
  return {
    usage: stored.usage.totalTokens > usage.totalTokens ? stored.usage : usage,
    modelCalls: Math.max(stored.modelCalls, reported.modelCalls + missing.length),
    answers,
  };
}

/**
 * Uses the usage in the report of an ended attempt if it is higher, because an engine may report usage without
 * publishing events.
 */
function withReportedUsage(used: EarlierUsage, report: SessionReport | undefined): EarlierUsage {
  if (report === undefined || report.usage.totalTokens <= used.usage.totalTokens) return used;
  return { ...used, usage: report.usage };
}
