import type { IncomingMessage } from "node:http";
import type { CreateRun } from "@switchyard/contracts";
import {
  EngineError,
  type RunCluster,
  type RunPlacement,
  type RunRecord,
  type SessionInput,
} from "@switchyard/contracts";
import { createRunId, queueSession, type StartSessionOptions } from "@switchyard/runner";
import { createRunSchema } from "../api/run-schemas.ts";
import { parseBody } from "../body/parse-body.ts";
import { bodyKindOf, readPayload } from "../body/read-call.ts";
import type { ReceiveFile } from "../body/read-multipart.ts";
import { removeUpload, storeUpload } from "../cluster/run-upload.ts";
import type { Caller } from "../guard/caller.ts";
import { traceparentOf } from "../run/observer-of.ts";
import { type RunWorkspace, stageRunWorkspace } from "../run/run-workspace.ts";
import { shorterLimit } from "../run/shorter-limit.ts";
import { queuedAtMsOf } from "../scheduler/scheduled-run.ts";
import { bodyLimitsOf } from "../server/body-limits-of.ts";
import { assertOwnSession } from "./assert-own-session.ts";
import { contentHash, isIdempotencyKey, runFingerprint, runIdOfKey } from "./run-fingerprint.ts";
import type { RunsParts } from "./runs-parts.ts";
import { type ServerSettings, serverSettingsOf, toServerSettings } from "./server-settings.ts";

/** Prefix of the names of workspaces that do not belong to a run yet. */
export const STAGING_PREFIX = "new-";

/** An accepted run: a new one, or the existing run of an earlier request with the same Idempotency-Key. */
export interface AcceptedRun {
  /** Record of the run. */
  readonly record: RunRecord;
  /** True if the request repeats an earlier one, so that no run was created. */
  readonly isReplayed: boolean;
}

/** Identity of a request: its caller and Idempotency-Key. */
export interface AcceptOptions {
  /** Caller who will own the run. */
  readonly caller: Caller;
  /** Idempotency-Key. `undefined` if there is none. */
  readonly key: string | undefined;
}

/** Data of a new run that is about to be stored. */
export interface NewRun {
  /** Id of the run. */
  readonly runId: string;
  /** Owner of the run. */
  readonly owner: string;
  /** Input of the run. */
  readonly input: SessionInput;
  /** Workspace of the run. May still have a temporary name. */
  readonly workspace: RunWorkspace;
  /** URL of the webhook to call when the run ends. */
  readonly webhookUrl: string | undefined;
  /** Trace context of the caller. */
  readonly traceparent?: string | undefined;
  /** Output and retry settings. */
  readonly settings?: Pick<StartSessionOptions, "output" | "retry"> | undefined;
  /** Hash of the request that created the run. `undefined` without an Idempotency-Key. */
  readonly fingerprint?: string | undefined;
  /** Engine and requirements that the caller chose. Default: the server's engine on any worker. */
  readonly target?: RunTarget | undefined;
  /** True if the caller waits for the result. Nobody can then answer questions. Default: false. */
  readonly isAwaited?: boolean | undefined;
  /** Id of the run from which this run was forked. */
  readonly parentRunId?: string | undefined;
  /** Changes that a worker applies to the initial workspace. Default: none. */
  readonly startPatch?: string | Uint8Array | undefined;
}

/**
 * Reads a request that creates a run, stores the run and queues it. When the promise resolves, the queued run and its
 * workspace are on disk. A repeated request with the same Idempotency-Key returns the existing run, whatever its
 * status. The key of a rejected request can be used again. Rejects with `server.*`, `input.*` and `run.store_failed`.
 * See durability promise D1.
 */
export async function acceptRun(
  request: IncomingMessage,
  { caller, key }: AcceptOptions,
  parts: RunsParts,
): Promise<AcceptedRun> {
  const { options, closing, locks } = parts;
  if (key !== undefined && !isIdempotencyKey(key)) {
    const problem = "it is not 1 to 255 visible ASCII characters";
    throw new EngineError("server.bad_parameter", { name: "Idempotency-Key", problem });
  }
  bodyKindOf(request);
  const newId = createRunId((options.now ?? Date.now)());
  const staging = stageRunWorkspace(`${STAGING_PREFIX}${newId}`, options);
  try {
    const files = new Map<string, string>();
    const text = await staging.withFiles((takeFile) =>
      readPayload(request, { ...bodyLimitsOf(options, closing), takeFile: noting(files, takeFile, options.workspace) }),
    );
    const body = await parseBody(text, createRunSchema);
    parts.webhooks?.assertUrl(body.webhook_url);
    assertNoWebhook(body, parts);
    await assertOwnSession(body.input.session_id, { caller, index: parts.index });
    const { owner } = caller;
    const runId = key === undefined ? newId : runIdOfKey(owner, key);
    const fingerprint = key === undefined ? undefined : runFingerprint(body, files);
    const { input, webhook_url: webhookUrl } = body;
    const traceparent = traceparentOf(request);
    const settings = settingsOf(body);
    const target = targetOf(body, parts);
    if (body.workspace?.folder !== undefined && files.size > 0) {
      throw new EngineError("server.bad_body", { problem: "files: the run works in a folder of the worker" });
    }
    const run: NewRun = {
      runId,
      owner,
      input,
      workspace: staging,
      webhookUrl,
      traceparent,
      settings,
      fingerprint,
      target,
    };
    if (key === undefined) return { record: await storeRun(run, parts).catch(throwProblemOfBody), isReplayed: false };
    return await locks.run(runId, () => storeOnce(run, parts));
  } finally {
    // Removes the workspace of a rejected request. The workspace of a stored run has been renamed, so it is not found
    // here.
    await staging.remove();
  }
}

function settingsOf({ output_schema: schema, max_attempts: maxAttempts }: CreateRun): NewRun["settings"] {
  return {
    ...(schema === undefined ? {} : { output: { schema } }),
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
  };
}

/** Engine of a run, and its requirements of a worker. */
interface RunTarget {
  readonly engine: string | undefined;
  readonly placement: RunPlacement | undefined;
}

/**
 * Returns the engine and the requirements in a request. Throws `server.bad_body` for a requirement that this server
 * cannot meet because it executes runs itself.
 */
function targetOf({ engine, environment, labels, priority, workspace }: CreateRun, { options }: RunsParts): RunTarget {
  const refuse = (field: string, problem: string): never => {
    throw new EngineError("server.bad_body", { problem: `${field}: ${problem}` });
  };
  if (options.cluster === undefined) {
    if (engine !== undefined && engine !== options.session.engineName)
      refuse("engine", "this server has another engine");
    if (environment !== undefined) refuse("environment", "this server has no workers");
    if (labels !== undefined) refuse("labels", "this server has no workers");
    if (workspace !== undefined) refuse("workspace", "this server has no workers");
  }
  const placement = { environment, labels, priority, workspace };
  const hasNone = Object.values(placement).every((value) => value === undefined);
  return { engine, placement: hasNone ? undefined : placement };
}

/** Maps the runner's name of a setting to the name of the request field. */
const FIELDS = new Map<unknown, string>([
  ["output.schema", "output_schema"],
  ["retry.maxAttempts", "max_attempts"],
]);

/**
 * Rethrows an error. If the error is about a setting in the request, throws `server.bad_body` instead, which blames the
 * caller.
 */
function throwProblemOfBody(error: unknown): never {
  const field = EngineError.is(error, "config.invalid") ? FIELDS.get(error.details["field"]) : undefined;
  if (field === undefined || !EngineError.is(error)) throw error;
  throw new EngineError(
    "server.bad_body",
    { problem: `${field}: ${String(error.details["problem"])}` },
    { cause: error },
  );
}

/**
 * Rejects a webhook URL if the server has no webhook secret, because calls could not be signed. Throws
 * `server.bad_body`.
 */
export function assertNoWebhook({ webhook_url }: Pick<CreateRun, "webhook_url">, { webhooks }: RunsParts): void {
  if (webhook_url === undefined || webhooks !== undefined) return;
  throw new EngineError("server.bad_body", { problem: "webhook_url: this server sends no webhooks" });
}

/**
 * Wraps the function `takeFile` so that the hash of every uploaded file is recorded. Rejects files for a shared
 * workspace, because they must not be written before the run starts.
 */
function noting(files: Map<string, string>, takeFile: ReceiveFile, workspace: string | undefined): ReceiveFile {
  return async (path, content) => {
    if (workspace !== undefined) {
      throw new EngineError("server.bad_body", { problem: "files: all runs of this server work in one folder" });
    }
    files.set(path, contentHash(content));
    await takeFile(path, content);
  };
}

/** Stores a run with an Idempotency-Key, unless an earlier request with the same key has created it. */
async function storeOnce(run: NewRun, parts: RunsParts): Promise<AcceptedRun> {
  const earlier = await findEarlier(run, parts);
  if (earlier !== undefined) return { record: earlier, isReplayed: true };
  try {
    return { record: await storeRun(run, parts), isReplayed: false };
  } catch (error) {
    // Another server has accepted a request with the same key meanwhile.
    const other = EngineError.is(error, "run.conflict") ? await findEarlier(run, parts) : undefined;
    if (other !== undefined) return { record: other, isReplayed: true };
    return throwProblemOfBody(error);
  }
}

/**
 * Finds the run that an earlier request with the same Idempotency-Key created. `undefined` if there is none. Rejects
 * with `server.key_reused` if the earlier request was different.
 */
async function findEarlier({ runId, fingerprint }: NewRun, { store }: RunsParts): Promise<RunRecord | undefined> {
  const stored = await store.show(runId).catch((error: unknown) => {
    if (EngineError.is(error, "run.not_found")) return undefined;
    throw error;
  });
  if (stored === undefined) return undefined;
  const { record, request, problems } = stored;
  const [problem] = problems;
  if (record === undefined || request === undefined)
    throw problem ?? new EngineError("run.malformed_record", { path: runId });
  if (serverSettingsOf(request)?.fingerprint !== fingerprint) throw new EngineError("server.key_reused");
  return record;
}

/** Stores a run and queues it. Rejects with `server.queue_full`, `server.draining`, `input.*` and `run.*`. */
export async function storeRun(run: NewRun, parts: RunsParts): Promise<RunRecord> {
  const { options, scheduler, dispatcher, executor, webhooks } = parts;
  const { runId, owner, webhookUrl, isAwaited, target } = run;
  if (!executor.isOpen) throw new EngineError("server.draining");
  await options.checkBudget?.(owner);
  const seat = scheduler.reserve(owner);
  try {
    // The webhook call is recorded before the run is stored, so that a crash in between does not lose it.
    if (webhookUrl !== undefined) await webhooks?.note(runId);
    const { cluster } = options;
    const record = cluster === undefined ? await storeHere(run, parts) : await storeForWorkers(run, parts, cluster);
    const queuedAtMs = queuedAtMsOf(record);
    dispatcher.enqueue({ runId, owner, queuedAtMs, priority: target?.placement?.priority, isAwaited }, seat);
    dispatcher.pump();
    return record;
  } finally {
    seat.release();
  }
}

/** Stores a run that this server executes. Its workspace is created first, and removed if the run cannot be stored. */
async function storeHere(run: NewRun, parts: RunsParts): Promise<RunRecord> {
  const workspace = await run.workspace.renameTo(run.runId);
  try {
    return await queueRun(run, { path: workspace.path, beforeStore: undefined }, parts);
  } catch (error) {
    await workspace.remove();
    throw error;
  }
}

/** Stores a run that workers execute. Its files are stored on the broker first, from which a worker gets them. */
async function storeForWorkers(run: NewRun, parts: RunsParts, cluster: RunCluster): Promise<RunRecord> {
  const { runId, workspace, startPatch } = run;
  let upload: string | undefined;
  const beforeStore = async (): Promise<Pick<ServerSettings, "upload">> => {
    upload = await storeUpload(runId, { files: workspace.files(), startPatch }, cluster);
    return { upload };
  };
  try {
    return await queueRun(run, { path: "", beforeStore }, parts);
  } catch (error) {
    // After other errors the run may have been stored nevertheless, and then its worker needs the files.
    if (EngineError.is(error, "run.conflict")) await removeUpload({ runId, upload }, cluster);
    throw error;
  }
}

/** Where the files of a new run are. */
interface RunFiles {
  /** Path of the workspace. Empty if a worker creates the workspace. */
  readonly path: string;
  /** Stores the files on the broker. `undefined` if they are in the workspace. */
  readonly beforeStore: (() => Promise<Pick<ServerSettings, "upload">>) | undefined;
}

async function queueRun(
  run: NewRun,
  { path, beforeStore }: RunFiles,
  { options, store }: RunsParts,
): Promise<RunRecord> {
  const { runId, owner, webhookUrl, traceparent, fingerprint, parentRunId, isAwaited } = run;
  const { session, now, maxRunSeconds, settings, stateDirectory, openEnvironment } = options;
  const { workspace: _, ...input } = run.input;
  const { engine: engineName = session.engineName, placement } = run.target ?? {};
  const stored = { workspace: path, fingerprint, webhookUrl, traceparent, isAwaited };
  return await queueSession(
    { ...input, ...(path === "" ? {} : { workspace: path }), ...shorterLimit(maxRunSeconds, input) },
    {
      ...{ ...session, ...run.settings, runId, owner, parentRunId, store, stateDirectory, now },
      ...{ engineName, placement },
      environment: openEnvironment(path, new AbortController().signal),
      settings: settings?.(path),
      beforeStore: async () => toServerSettings({ ...stored, ...(await beforeStore?.()) }),
    },
  );
}
