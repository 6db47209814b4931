import {
  type ClusterWorker,
  DECLINE_REASONS,
  type DeclinedRun,
  EngineError,
  type FolderRule,
  isErrorCode,
  type RepositoryRule,
  type RunControl,
  type RunIncrement,
  toEngineError,
  type UndoRequest,
} from "@switchyard/contracts";
import { isRecord } from "../../codec/encode-value.ts";
import { isEnvelope } from "../../codec/event-line.ts";

/** Reply of the process that executes a run to a message of a caller. */
type ControlReply = { readonly kind: "accepted" } | { readonly kind: "refused"; readonly error: EngineError };

function parse(data: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isLabels(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

function isRule(value: unknown): value is RepositoryRule {
  if (!isRecord(value)) return false;
  const { url, credential, owners } = value;
  return (
    typeof url === "string" &&
    (credential === undefined || typeof credential === "string") &&
    (owners === undefined || isTexts(owners))
  );
}

function isFolder(value: unknown): value is FolderRule {
  return isRecord(value) && typeof value["name"] === "string" && isTexts(value["owners"]);
}

/** Returns the worker in a message. `undefined` if the message has another format. */
export function parseWorker(data: string): ClusterWorker | undefined {
  const { format, name, engines, environments, labels, version, running, free, folders, repositories, isDedicated } =
    parse(data) ?? {};
  if (format !== 1 || typeof name !== "string" || !isTexts(engines) || !isTexts(environments)) return undefined;
  if (!isLabels(labels) || typeof running !== "number" || typeof free !== "number") return undefined;
  return {
    ...{ format, name, engines, environments, labels, version: String(version), running, free },
    ...(isDedicated === true ? { isDedicated } : {}),
    ...(Array.isArray(folders) ? { folders: folders.filter(isFolder) } : {}),
    ...(Array.isArray(repositories) ? { repositories: repositories.filter(isRule) } : {}),
  };
}

/** Returns a worker's request for at most `maxRuns` runs. */
export function renderRequest(worker: ClusterWorker, maxRuns: number): string {
  return JSON.stringify({ ...worker, max_runs: maxRuns });
}

/**
 * Returns the worker in a request for runs, and the maximum number of runs. Workers of earlier releases ask for one run.
 * `undefined` if the message has another format.
 */
export function parseRequest(data: string): { readonly worker: ClusterWorker; readonly maxRuns: number } | undefined {
  const worker = parseWorker(data);
  const { max_runs: maxRuns } = parse(data) ?? {};
  const isCount = typeof maxRuns === "number" && Number.isInteger(maxRuns) && maxRuns > 0;
  return worker === undefined ? undefined : { worker, maxRuns: isCount ? maxRuns : 1 };
}

/** Returns the run ids in a reply to a worker's request. An empty list if the reply has another format. */
export function parseOffer(data: string): readonly string[] {
  const { format, run_id: first, run_ids: runIds } = parse(data) ?? {};
  if (format !== 1 || typeof first !== "string") return [];
  return isTexts(runIds) ? [...new Set(runIds)] : [first];
}

/** Returns the reply that offers runs to a worker. Workers of earlier releases read only the first run. */
export function renderOffer(runIds: readonly string[]): string {
  const [first] = runIds;
  return JSON.stringify({ format: 1, run_id: first, ...(runIds.length > 1 ? { run_ids: runIds } : {}) });
}

/** Returns the message with which a worker declines a run. */
export function renderDeclined({ runId, reason }: DeclinedRun): string {
  return JSON.stringify({ format: 1, run_id: runId, reason });
}

/** Returns the declined run. `undefined` if the message has another format. An unknown reason counts as `failed`. */
export function parseDeclined(data: string): DeclinedRun | undefined {
  const { format, run_id: runId, reason: given } = parse(data) ?? {};
  if (format !== 1 || typeof runId !== "string") return undefined;
  return { runId, reason: DECLINE_REASONS.find((reason) => reason === given) ?? "failed" };
}

/** Converts a caller's message to the format of the broker. */
export function renderControl(control: RunControl): string {
  return JSON.stringify({ format: 1, ...control });
}

/** Parses a caller's message. `undefined` if the message has another format. */
export function parseControl(data: string): RunControl | undefined {
  const { format, kind, text, promptId, promptKind, interrupt } = parse(data) ?? {};
  if (format !== 1) return undefined;
  if ((kind === "steer" || kind === "follow_up") && typeof text === "string") return { kind, text };
  if (kind === "answer" && typeof promptId === "string" && typeof text === "string") {
    return promptKind === "question" || promptKind === "approval" ? { kind, promptId, text, promptKind } : undefined;
  }
  if (kind !== "interrupt" || !isRecord(interrupt)) return undefined;
  const { cause, detail } = interrupt;
  if (cause !== "user_cancel" && cause !== "user_input" && cause !== "host_shutdown") return undefined;
  return { kind, interrupt: { cause, ...(typeof detail === "string" ? { detail } : {}) } };
}

/** Returns the reply to a message of a caller. `error` is the reason why the message was refused. */
export function renderReply(error?: unknown): string {
  if (error === undefined) return JSON.stringify({ format: 1, accepted: true });
  const { code, details } = toEngineError(error);
  return JSON.stringify({ format: 1, accepted: false, code, details });
}

/** Parses the reply to a caller's message. */
export function parseReply(data: string): ControlReply {
  const { accepted, code, details } = parse(data) ?? {};
  if (accepted === true) return { kind: "accepted" };
  const isKnown = typeof code === "string" && isErrorCode(code);
  return {
    kind: "refused",
    error: new EngineError(isKnown ? code : "internal.unexpected", isRecord(details) ? details : {}),
  };
}

/**
 * Returns increments of a run (events that are not stored, such as pieces of the model's text) in the format of the
 * broker.
 */
export function renderIncrements(increments: readonly RunIncrement[]): string {
  return JSON.stringify({
    format: 1,
    increments: increments.map(({ afterSeq, event }) => ({ after_seq: afterSeq, event })),
  });
}

/**
 * Parses a message with increments of a run (events that are not stored). Returns an empty list if the message has
 * another format. Skips malformed increments, and events with a sequence number, because only stored events have one.
 */
export function parseIncrements(data: string): RunIncrement[] {
  const { format, increments } = parse(data) ?? {};
  if (format !== 1 || !Array.isArray(increments)) return [];
  return increments.flatMap((value: unknown) => {
    const { after_seq: afterSeq, event } = isRecord(value) ? value : {};
    if (typeof afterSeq !== "number" || !isEnvelope(event) || event.seq !== undefined) return [];
    return [{ afterSeq, event }];
  });
}

/** Converts a request to revert a run's changes to the format of the broker. */
export function renderUndo({ runId, isDryRun }: UndoRequest): string {
  return JSON.stringify({ format: 1, run_id: runId, dry_run: isDryRun });
}

/** Parses a request to revert a run's changes. `undefined` if the message has another format. */
export function parseUndo(data: string): UndoRequest | undefined {
  const { format, run_id: runId, dry_run: isDryRun } = parse(data) ?? {};
  return format === 1 && typeof runId === "string" && typeof isDryRun === "boolean" ? { runId, isDryRun } : undefined;
}
