import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { EngineError, type RunStore, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { isPublicAddress } from "@switchyard/web";
import type { WebhookOutcome } from "../metrics/create-metrics.ts";
import { toRunView } from "../runs/run-view.ts";
import { serverSettingsOf } from "../runs/server-settings.ts";
import { postMessage } from "./post-message.ts";
import { webhookHeaders } from "./sign-webhook.ts";

/** Pauses before the attempts behind the first, in milliseconds. */
const PAUSES_MS = [1_000, 10_000, 60_000, 300_000, 1_800_000];
const FOLDER = "webhooks";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** How webhooks are called. */
export interface WebhookOptions {
  /** What calls are signed with: HMAC-SHA256, Standard Webhooks. */
  readonly secret: Secret;
  /** Whether addresses of private networks and of this machine may be called; false by default. */
  readonly allowPrivate?: boolean | undefined;
  /** Pauses between attempts, in milliseconds; 1 s, 10 s, 1 min, 5 min and 30 min by default. */
  readonly pausesMs?: readonly number[] | undefined;
}

/** What a desk works with. */
export interface WebhookParts extends WebhookOptions {
  /** Folder where calls that are due are noted. */
  readonly stateDirectory: string;
  /** Keeps the runs. */
  readonly store: RunStore;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told of every attempt. */
  readonly onAttempt: (outcome: WebhookOutcome) => void;
  /** Told of what went wrong. */
  readonly onError: (error: unknown) => void;
}

/** Tells others of the ends of runs. */
export interface WebhookSender {
  /** Refuses an address that cannot be called. Throws `server.bad_body`. */
  assertUrl(url: string | undefined): void;
  /** Notes that a run is to be told of when it is over. Rejects with what the disk says. */
  note(runId: string): Promise<void>;
  /** Tells of the end of a run, where somebody wants to know. */
  tell(runId: string): void;
  /** Tells of what ended while no server was there to tell. */
  recover(): Promise<void>;
  /** Stops; what is due stays noted. */
  close(): Promise<void>;
}

/**
 * Makes the desk. Contract: a call that is due is noted on disk until it was answered with 2xx, or all attempts are used
 * up; the next server goes on with it. So a call may come twice, with the same `webhook-id`.
 */
export function createWebhookSender(parts: WebhookParts): WebhookSender {
  const { stateDirectory, store, onAttempt, onError, pausesMs = PAUSES_MS } = parts;
  const folder = join(stateDirectory, FOLDER);
  const stopping = new AbortController();
  const telling = new Set<Promise<void>>();

  async function attempt(runId: string, url: URL): Promise<boolean> {
    const { record, lease } = await store.show(runId);
    if (record === undefined) return true;
    const body = JSON.stringify({ type: "run.ended", run: toRunView(record, lease) });
    const id = `${runId}.${record.attempt}`;
    const headers = webhookHeaders({ id, atMs: parts.now(), body }, parts.secret);
    const allowPrivate = parts.allowPrivate === true;
    const status = await postMessage({ url, headers, body, allowPrivate, signal: stopping.signal });
    return status >= 200 && status < 300;
  }

  async function deliver(runId: string): Promise<void> {
    const { request } = await store.show(runId);
    const url = serverSettingsOf(request)?.webhookUrl;
    if (url !== undefined) {
      for (const pauseMs of [...pausesMs, undefined]) {
        const isDone = await attempt(runId, new URL(url)).catch(() => false);
        if (stopping.signal.aborted) return;
        onAttempt(isDone ? "delivered" : pauseMs === undefined ? "given_up" : "retried");
        if (isDone || pauseMs === undefined) break;
        await pause(pauseMs, stopping.signal);
        if (stopping.signal.aborted) return;
      }
    }
    await rm(join(folder, runId), { force: true });
  }

  function tell(runId: string): void {
    const done = deliver(runId).catch((error: unknown) => {
      if (!EngineError.is(error, "run.not_found")) onError(error);
    });
    telling.add(done);
    void done.finally(() => telling.delete(done));
  }
  return {
    assertUrl: (url) => {
      const problem = url === undefined ? undefined : problemOfUrl(url, parts.allowPrivate === true);
      if (problem !== undefined) throw new EngineError("server.bad_body", { problem: `webhook_url: ${problem}` });
    },
    note: async (runId) => {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      await writeFile(join(folder, runId), "", { mode: FILE_MODE });
    },
    tell,
    recover: async () => {
      for (const runId of await readdir(folder).catch(() => [])) {
        const found = await store.show(runId).catch(() => undefined);
        if (found?.record === undefined) await rm(join(folder, runId), { force: true });
        else if (TERMINAL_RUN_STATUSES.includes(found.record.status)) tell(runId);
      }
    },
    close: async () => {
      stopping.abort();
      await Promise.allSettled([...telling]);
    },
  };
}

function problemOfUrl(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return "it is no address";
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "https:" && !(allowPrivate && protocol === "http:")) return "only https is called";
  if (username !== "" || password !== "") return "it holds credentials";
  const host = hostname.replace(/^\[|\]$/gu, "");
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return "its address is not public";
  return undefined;
}

/** Waits so long, or until it is over. */
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
