import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  type EnvelopeOf,
  type EventPayloads,
  type EventText,
  type EventType,
  HEADER,
  NO_USAGE,
  type RunRecord,
  type RunStore,
  type SessionReport,
  type Usage,
} from "@switchyard/contracts";
import { subjectOf } from "@switchyard/engine";
import { createRunId } from "@switchyard/runner";
import { createMasker, type Secret } from "@switchyard/secrets";
import { isRecord } from "../files/is-record.ts";
import { AgentLane, STEP_HEADER } from "./agent-lane.ts";
import { maskTexts, ROOT_HEADER } from "./create-trajectory.ts";
import { type StepEvent, stepEvents, textOf } from "./step-events.ts";
import type { Trajectory, TrajectoryTotals } from "./trajectory.ts";

const AGENT = "agent";
const MICROS = 1_000_000;
/** Maximum length of a run's title, in characters. */
const MAX_TITLE = 100;
/** Number of events that are stored with one call. */
const BATCH = 500;

/** Options of `importTrajectory`. */
export interface ImportOptions {
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Name and version of the program that imports. Stored in the run's record. */
  readonly createdBy: string;
  /**
   * Secret values to mask before the trajectory is stored. In addition, values with the format of a credential are
   * masked.
   */
  readonly secrets?: Iterable<string | Secret> | undefined;
}

/**
 * Stores a trajectory as a run that has ended, so that it can be shown, exported and compared like any other run.
 * `createTrajectory` returns the same trajectory again, except for masked secrets. Resolves with the id of the run.
 */
export async function importTrajectory(
  store: Pick<RunStore, "create">,
  trajectory: Trajectory,
  options: ImportOptions,
): Promise<string> {
  const masker = createMasker(options.secrets ?? []);
  const document = maskTexts(trajectory, masker.mask);
  const runId = createRunId(options.now());
  const record = recordOf(document, runId, options);
  const messages = document.steps.flatMap(({ source, message }) =>
    source === "user" ? [{ role: "user" as const, content: textOf(message) }] : [],
  );
  const request = { format: 1 as const, input: { messages: messages.slice(0, 1) } };
  const writer = await store.create({ ...record, status: "running" }, request);
  try {
    const events = eventsOf(document, record);
    for (let start = 0; start < events.length; start += BATCH) await writer.append(events.slice(start, start + BATCH));
    await writer.finish(reportOf(document, record), record);
  } finally {
    await writer.release();
  }
  return runId;
}

function recordOf(document: Trajectory, runId: string, { now, createdBy }: ImportOptions): RunRecord {
  const { agent, steps } = document;
  const time = new Date(now()).toISOString();
  const times = steps.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [Date.parse(timestamp)]));
  const valid = times.filter((one) => !Number.isNaN(one));
  const [start, end] = [Math.min(...valid), Math.max(...valid)];
  const first = steps.find(({ source }) => source === "user") ?? steps[0];
  const title = textOf(first?.message ?? "")
    .replace(/\s+/gu, " ")
    .trim();
  return {
    ...{ format: 1, run_id: runId, engine: agent.name },
    ...(agent.model_name === undefined ? {} : { model: agent.model_name }),
    title: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE).toWellFormed()}…` : title,
    // An imported run cannot be resumed, whatever its status was.
    status: statusOf(document) === "completed" ? "completed" : "failed",
    ...{ attempt: 1, created_at: time, created_by: createdBy },
    started_at: valid.length === 0 ? time : new Date(start).toISOString(),
    finished_at: valid.length === 0 ? time : new Date(end).toISOString(),
  };
}

/** Returns the status of the original run. Trajectories of other programs have none and count as completed. */
function statusOf({ extra }: Trajectory): string {
  const facts = extra?.["switchyard"];
  const status = isRecord(facts) ? facts["status"] : undefined;
  return typeof status === "string" ? status : "completed";
}

function reportOf(document: Trajectory, record: RunRecord): SessionReport {
  const { run_id: runId, engine, model, started_at: startedAt = "", finished_at: finishedAt = "", status } = record;
  const last = document.steps.findLast(({ source }) => source === "agent");
  return {
    ...{ runId, engine, status, artifacts: [], usage: usageOf(document.final_metrics) },
    ...(model === undefined ? {} : { model }),
    result: { exit_code: status === "completed" ? 0 : 1, final_message: textOf(last?.message ?? "") },
    timing: { startedAt, finishedAt, durationMs: Date.parse(finishedAt) - Date.parse(startedAt) },
  };
}

function usageOf({ total_prompt_tokens, total_completion_tokens, ...more }: TrajectoryTotals = {}): Usage {
  const [inputTokens, outputTokens] = [total_prompt_tokens ?? 0, total_completion_tokens ?? 0];
  const { total_cached_tokens: cached, total_cost_usd: cost } = more;
  return {
    ...NO_USAGE,
    ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    ...(cached === undefined ? {} : { cacheReadTokens: cached }),
    ...(cost === undefined ? {} : { costMicros: Math.round(cost * MICROS) }),
  };
}

/** Creates the events of a trajectory. What events cannot express is kept in headers. */
function eventsOf(document: Trajectory, record: RunRecord): EventText[] {
  const { steps, ...root } = document;
  const { run_id: runId, started_at: startedAt = "", finished_at: finishedAt = "" } = record;
  const texts: EventText[] = [];
  const add = <T extends EventType>(
    event: { type: T; payload: EventPayloads[T]; time: string },
    headers = {},
  ): void => {
    texts.push(toText(event, { runId, seq: texts.length + 1, headers }));
  };
  const rootHeader = { [ROOT_HEADER]: JSON.stringify(root) };
  add({ type: "run_start", payload: { resumed: false }, time: startedAt }, rootHeader);
  const model = document.agent.model_name === undefined ? {} : { model: document.agent.model_name };
  const session_id = document.session_id ?? runId;
  add({ type: "session_start", payload: { session_id, ...model }, time: startedAt });
  let time = startedAt;
  for (const step of steps) {
    time = step.timestamp === undefined ? time : isoTime(step.timestamp, time);
    const events = stepEvents(step, time);
    const rebuilt = rebuild(events, document.agent.model_name);
    const isKept = rebuilt !== undefined && isDeepStrictEqual({ ...rebuilt, step_id: step.step_id }, step);
    const header = isKept ? {} : { [STEP_HEADER]: JSON.stringify(step) };
    for (const [index, event] of events.entries()) add(event, index === 0 ? header : {});
  }
  const outcome = record.status === "completed" ? "completed" : "failed";
  add({ type: "run_end", payload: { outcome }, time: finishedAt });
  return texts;
}

function isoTime(timestamp: string, fallback: string): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? fallback : new Date(time).toISOString();
}

/** Returns the step that an export would create from the events. `undefined` unless it is exactly one. */
function rebuild(events: readonly StepEvent[], model: string | undefined): unknown {
  const lane = new AgentLane();
  lane.model = model;
  for (const event of events) lane.add(event);
  const [step, ...more] = lane.finish([]);
  return more.length === 0 ? step : undefined;
}

function toText<T extends EventType>(
  { type, payload, time }: { type: T; payload: EventPayloads[T]; time: string },
  { runId, seq, headers }: { runId: string; seq: number; headers: Readonly<Record<string, string>> },
): EventText {
  const envelope: Omit<EnvelopeOf<T>, "type"> & { type: T } = {
    ...{ id: randomUUID(), type, subject: subjectOf(type, runId, AGENT), time, seq, attempt: 1 },
    headers: { [HEADER.runId]: runId, [HEADER.agentId]: AGENT, ...headers },
    payload,
  };
  return { seq, text: JSON.stringify(envelope) };
}
