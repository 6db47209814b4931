import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { EngineError, type RunRecord, type RunStore, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { isPublicAddress } from "@switchyard/web";
import type { WebhookOutcome } from "../metrics/create-metrics.ts";
import { toRunView } from "../runs/run-view.ts";
import { serverSettingsOf } from "../runs/server-settings.ts";
import { postMessage } from "./post-message.ts";
import { webhookHeaders } from "./sign-webhook.ts";

/** Delays before retries, in milliseconds. */
const PAUSES_MS = [1_000, 10_000, 60_000, 300_000, 1_800_000];
const FOLDER = "webhooks";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Options for webhooks. */
export interface WebhookOptions {
  /** Secret for HMAC-SHA256 signatures according to Standard Webhooks. */
  readonly secret: Secret;
  /** True to allow calls to private and local addresses. Default: false. */
  readonly allowPrivate?: boolean | undefined;
  /** Delays before retries, in milliseconds. Default: 1 s, 10 s, 1 min, 5 min and 30 min. */
  readonly pausesMs?: readonly number[] | undefined;
}

/** Dependencies of a webhook sender. */
export interface WebhookParts extends WebhookOptions {
  /** Folder in which pending calls are recorded. */
  readonly stateDirectory: string;
  /** Store of the runs. */
  readonly store: RunStore;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every attempt. */
  readonly onAttempt: (outcome: WebhookOutcome) => void;
  /** Called for errors. */
  readonly onError: (error: unknown) => void;
}

/** Calls webhooks when runs end. */
export interface WebhookSender {
  /** Throws `server.bad_body` if a webhook URL is invalid or must not be called. */
  assertUrl(url: string | undefined): void;
  /**
   * Stores a note on disk that a webhook must be called when a run ends, so that a crash does not lose the call.
   * Rejects with disk errors.
   */
  note(runId: string): Promise<void>;
  /** Calls the webhook of a run that has ended. Does nothing if the run has no webhook. */
  notify(runId: string): void;
  /**
   * Calls the webhooks of runs that ended while no server was running. Resolves with the records of the other runs with
   * webhooks, which have not ended yet.
   */
  recover(): Promise<readonly RunRecord[]>;
  /** Stops sending. Pending calls stay recorded on disk. */
  close(): Promise<void>;
}

/** Creates the list of the runs whose webhooks must be called, which is stored in a folder. */
function createPendingCalls(folder: string) {
  return {
    add: async (runId: string): Promise<void> => {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      await writeFile(join(folder, runId), "", { mode: FILE_MODE });
    },
    remove: (runId: string): Promise<void> => rm(join(folder, runId), { force: true }),
    list: (): Promise<string[]> => readdir(folder).catch(() => []),
  };
}

/**
 * Creates a webhook sender. Contract: a pending call is recorded on disk until it gets a 2xx response or all attempts
 * have failed. After a crash, the next server process repeats pending calls. A call may therefore be delivered twice,
 * with the same `webhook-id`.
 */
export function createWebhookSender(parts: WebhookParts): WebhookSender {
  const { stateDirectory, store, onAttempt, onError, pausesMs = PAUSES_MS } = parts;
  const pending = createPendingCalls(join(stateDirectory, FOLDER));
  const stopping = new AbortController();
  const deliveries = new Set<Promise<void>>();

  async function deliver(runId: string): Promise<void> {
    const { request } = await store.show(runId);
    const url = serverSettingsOf(request)?.webhookUrl;
    if (url !== undefined) {
      for (const pauseMs of [...pausesMs, undefined]) {
        const isDone = await callWebhook(parts, runId, { url: new URL(url), signal: stopping.signal }).catch(
          () => false,
        );
        if (stopping.signal.aborted) return;
        onAttempt(isDone ? "delivered" : pauseMs === undefined ? "given_up" : "retried");
        if (isDone || pauseMs === undefined) break;
        await pause(pauseMs, stopping.signal);
        if (stopping.signal.aborted) return;
      }
    }
    await pending.remove(runId);
  }

  function notify(runId: string): void {
    const done = deliver(runId).catch((error: unknown) => {
      if (!EngineError.is(error, "run.not_found")) onError(error);
    });
    deliveries.add(done);
    void done.finally(() => deliveries.delete(done));
  }
  return {
    assertUrl: (url) => {
      const problem = url === undefined ? undefined : problemOfUrl(url, parts.allowPrivate === true);
      if (problem !== undefined) throw new EngineError("server.bad_body", { problem: `webhook_url: ${problem}` });
    },
    note: (runId) => pending.add(runId),
    notify,
    recover: async () => {
      const unfinished: RunRecord[] = [];
      for (const runId of await pending.list()) {
        const record = await recordOf(parts, runId);
        // After an error, for example of a broker, the next server process tries again.
        if (record === "unreadable") continue;
        if (record === undefined) await pending.remove(runId);
        else if (TERMINAL_RUN_STATUSES.includes(record.status)) notify(runId);
        else unfinished.push(record);
      }
      return unfinished;
    },
    close: async () => {
      stopping.abort();
      await Promise.allSettled([...deliveries]);
    },
  };
}

/** Calls the webhook of a run once. Resolves with false if the response is not a 2xx response. */
async function callWebhook(
  { store, secret, allowPrivate = false, now }: WebhookParts,
  runId: string,
  { url, signal }: { readonly url: URL; readonly signal: AbortSignal },
): Promise<boolean> {
  const { record, lease } = await store.show(runId);
  if (record === undefined) return true;
  const body = JSON.stringify({ type: "run.ended", run: toRunView(record, { isHeld: lease?.isHeld === true }) });
  const headers = webhookHeaders({ id: `${runId}.${record.attempt}`, atMs: now(), body }, secret);
  const status = await postMessage({ url, headers, body, allowPrivate, signal });
  return status >= 200 && status < 300;
}

/** Resolves with the record of a run, or with `undefined` if there is no such run. Reports other errors. */
async function recordOf(
  { store, onError }: WebhookParts,
  runId: string,
): Promise<RunRecord | "unreadable" | undefined> {
  try {
    return (await store.show(runId)).record;
  } catch (error) {
    if (EngineError.is(error, "run.not_found") || EngineError.is(error, "run.invalid_id")) return undefined;
    onError(error);
    return "unreadable";
  }
}

function problemOfUrl(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return "it is not a valid address";
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "https:" && !(allowPrivate && protocol === "http:")) return "only https is called";
  if (username !== "" || password !== "") return "it contains credentials";
  const host = hostname.replace(/^\[|\]$/gu, "");
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return "its address is not public";
  return undefined;
}

/** Waits for a duration, or until the signal aborts. */
async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeMs);
    signal.addEventListener("abort", done);
  });
}
