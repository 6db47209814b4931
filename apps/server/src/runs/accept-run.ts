import type { IncomingMessage } from "node:http";
import type { CreateRun } from "@switchyard/contracts";
import { EngineError, type RunRecord, type SessionInput } from "@switchyard/contracts";
import { createRunId, queueSession, type StartSessionOptions } from "@switchyard/runner";
import { createRunSchema } from "../api/run-schemas.ts";
import { parseBody } from "../body/parse-body.ts";
import { bodyKindOf, readPayload } from "../body/read-call.ts";
import type { ReceiveFile } from "../body/read-multipart.ts";
import type { Caller } from "../guard/caller.ts";
import { traceparentOf } from "../run/observer-of.ts";
import { openRunWorkspace, type RunWorkspace } from "../run/run-workspace.ts";
import { shorterLimit } from "../run/shorter-limit.ts";
import { bodyLimitsOf } from "../server/body-limits-of.ts";
import { contentHash, isIdempotencyKey, runFingerprint, runIdOfKey } from "./run-fingerprint.ts";
import type { RunsParts } from "./runs-parts.ts";
import { serverSettingsOf, toServerSettings } from "./server-settings.ts";

/** Name of a workspace that belongs to no run yet begins so. */
export const STAGING_PREFIX = "new-";

/** A run that was accepted, now or when its key came first. */
export interface AcceptedRun {
  /** Its record. */
  readonly record: RunRecord;
  /** Whether the same request had come before. */
  readonly isReplayed: boolean;
}

/** Who asks, and with which Idempotency-Key. */
export interface AcceptOptions {
  /** Whose the run will be. */
  readonly caller: Caller;
  /** The key, where there is one. */
  readonly key: string | undefined;
}

/** A run on its way to the disk. */
export interface NewRun {
  /** Its id. */
  readonly runId: string;
  /** Whose it is. */
  readonly owner: string;
  /** What it is asked to do. */
  readonly input: SessionInput;
  /** Its workspace, under whatever name. */
  readonly workspace: RunWorkspace;
  /** Whom to tell of its end. */
  readonly webhookUrl: string | undefined;
  /** The span that its caller is in. */
  readonly traceparent?: string | undefined;
  /** What its answer has to be, and how often it is tried. */
  readonly settings?: Pick<StartSessionOptions, "output" | "retry"> | undefined;
  /** Hash of its request. */
  readonly fingerprint?: string | undefined;
  /** Run it was forked from. */
  readonly parentRunId?: string | undefined;
}

/**
 * Reads a request for a run and accepts it: when it resolves, the run is on disk and waits for its turn, and so does
 * its workspace. A request that came before with the same key is answered with its run, whatever became of that; what
 * was refused uses no key up. Rejects with `server.*`, `input.*` and `run.store_failed`. D1; operations: 3.
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
  const staging = await openRunWorkspace(`${STAGING_PREFIX}${newId}`, options);
  try {
    const files = new Map<string, string>();
    const text = await staging.withFiles((takeFile) =>
      readPayload(request, { ...bodyLimitsOf(options, closing), takeFile: noting(files, takeFile, options.workspace) }),
    );
    const body = await parseBody(text, createRunSchema);
    parts.webhooks?.assertUrl(body.webhook_url);
    assertNoWebhook(body, parts);
    const { owner } = caller;
    const runId = key === undefined ? newId : runIdOfKey(owner, key);
    const fingerprint = key === undefined ? undefined : runFingerprint(body, files);
    const { input, webhook_url: webhookUrl } = body;
    const traceparent = traceparentOf(request);
    const settings = settingsOf(body);
    const run: NewRun = { runId, owner, input, workspace: staging, webhookUrl, traceparent, settings, fingerprint };
    return await locks.run(runId, async () => {
      const earlier = key === undefined ? undefined : await findEarlier(run, parts);
      if (earlier !== undefined) return { record: earlier, isReplayed: true };
      return { record: await storeRun(run, parts).catch(throwProblemOfBody), isReplayed: false };
    });
  } finally {
    // Under its new name it is not here any more.
    await staging.remove();
  }
}

function settingsOf({ output_schema: schema, max_attempts: maxAttempts }: CreateRun): NewRun["settings"] {
  return {
    ...(schema === undefined ? {} : { output: { schema } }),
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
  };
}

/** What the runner calls the settings that callers send. */
const FIELDS = new Map<unknown, string>([
  ["output.schema", "output_schema"],
  ["retry.maxAttempts", "max_attempts"],
]);

/** A setting that came with the request is its caller's to mend, not the server's. */
function throwProblemOfBody(error: unknown): never {
  const field = EngineError.is(error, "config.invalid") ? FIELDS.get(error.details["field"]) : undefined;
  if (field === undefined || !EngineError.is(error)) throw error;
  throw new EngineError(
    "server.bad_body",
    { problem: `${field}: ${String(error.details["problem"])}` },
    { cause: error },
  );
}

/** Without a secret to sign with, nobody could tell whose call it is. */
export function assertNoWebhook({ webhook_url }: Pick<CreateRun, "webhook_url">, { webhooks }: RunsParts): void {
  if (webhook_url === undefined || webhooks !== undefined) return;
  throw new EngineError("server.bad_body", { problem: "webhook_url: this server sends no webhooks" });
}

/** Notes the hash of every file. Where all runs share a folder, none may write into it before its turn. */
function noting(files: Map<string, string>, takeFile: ReceiveFile, workspace: string | undefined): ReceiveFile {
  return async (path, content) => {
    if (workspace !== undefined) {
      throw new EngineError("server.bad_body", { problem: "files: all runs of this server work in one folder" });
    }
    files.set(path, contentHash(content));
    await takeFile(path, content);
  };
}

/** The run of the same request. Rejects with `server.key_reused` where the request is another one. */
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

/** Puts a run on disk and into the queue. Rejects with `server.queue_full`, `server.draining`, `input.*` and `run.*`. */
export async function storeRun(
  run: NewRun,
  { options, store, queue, dispatcher, desk, webhooks }: RunsParts,
): Promise<RunRecord> {
  const { runId, owner, input, webhookUrl, traceparent, fingerprint, parentRunId } = run;
  if (!desk.isOpen) throw new EngineError("server.draining");
  const seat = queue.reserve(owner);
  let workspace: RunWorkspace | undefined;
  try {
    // Before the run, so that no server forgets whom to tell.
    if (webhookUrl !== undefined) await webhooks?.note(runId);
    workspace = await run.workspace.renameTo(runId);
    const { path } = workspace;
    const { session, now, maxRunSeconds, settings, stateDirectory, openEnvironment } = options;
    const record = await queueSession(
      { ...input, workspace: path, ...shorterLimit(maxRunSeconds, input) },
      {
        ...{ ...session, ...run.settings, runId, owner, parentRunId, store, stateDirectory, now },
        environment: openEnvironment(path, new AbortController().signal),
        settings: {
          ...settings?.(path),
          ...toServerSettings({ workspace: path, fingerprint, webhookUrl, traceparent }),
        },
      },
    );
    dispatcher.add({ runId, owner });
    seat.fill(runId);
    dispatcher.pump();
    return record;
  } catch (error) {
    await workspace?.remove();
    throw error;
  } finally {
    seat.release();
  }
}
