import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { RESUMABLE_RUN_STATUSES, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { call } from "./call-api.ts";
import { counted, type Sent, seqsOf, watch } from "./watch-run.ts";

const CHILD = fileURLToPath(new URL("./fixtures/serve-in-child.mjs", import.meta.url));

/** Options of a fault sweep. */
export interface SweepOptions {
  /** State folder of all servers. */
  readonly state: string;
  /** Number of times that the server is killed. */
  readonly kills: number;
  /** Number of runs that are created meanwhile. */
  readonly runs: number;
  /** Number of steps of each run. */
  readonly steps: number;
  /** Whether the next server resumes interrupted runs or ends them. */
  readonly mode: "resume" | "stop";
}

/** Result of a fault sweep. The last five numbers must be 0. */
export interface SweepResult {
  readonly kills: number;
  readonly accepted: number;
  readonly completed: number;
  readonly events: number;
  readonly reconnects: number;
  /** Longest time from the start of a server to its first response, in milliseconds. */
  readonly slowestStartMs: number;
  readonly lost: number;
  readonly doubled: number;
  readonly unsettled: number;
  readonly wrongStreams: number;
  readonly wrongLogs: number;
}

/** Server that is repeatedly killed and restarted. Callers get its current URL. */
class KilledServer {
  readonly #options: SweepOptions;
  #child: ChildProcess | undefined;
  #up = later<string>();
  slowestStartMs = 0;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Resolves with the server's URL when it is running. */
  get url(): Promise<string> {
    return this.#up.promise;
  }

  async start(): Promise<void> {
    const { state, steps, mode } = this.#options;
    const startedMs = performance.now();
    const child = spawn(process.execPath, [CHILD, state, String(steps), mode], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - startedMs);
    this.#up.resolve(String(line));
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#up = later<string>();
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
}

function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Creates a run. Retries until the server acknowledges it. The Idempotency-Key prevents duplicates. */
async function send(server: KilledServer, key: string): Promise<string> {
  for (;;) {
    const url = await server.url;
    const body = { input: { messages: [{ role: "user", content: key }] } };
    const answer = await call({ url }, "POST /v1/runs", { body, headers: { "idempotency-key": key } }).catch(
      () => undefined,
    );
    if (answer?.status === 201 || answer?.status === 200) return String(answer.body["run_id"]);
    if (answer !== undefined) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Streams the events of a run until it ends, and reconnects if necessary. */
async function follow(
  server: KilledServer,
  runId: string,
  onEvent: () => void,
): Promise<{ events: Sent[]; reconnects: number }> {
  const events: Sent[] = [];
  for (let reconnects = 0; ; reconnects++) {
    const url = await server.url;
    const onSent = (event: Sent): void => {
      events.push(event);
      onEvent();
    };
    const lastEventId = events.findLast(({ id }) => id !== undefined)?.id;
    await watch({ url }, runId, { lastEventId, onEvent: onSent }).catch((error: unknown) => {
      // Only broken connections are expected.
      if (String(error).includes("It was answered")) throw error;
    });
    if (events.at(-1)?.name === "end") return { events, reconnects };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Repeatedly kills and restarts a server under load. Then checks every acknowledged run and every event stream. D1, D8.
 */
export async function sweepFaults(options: SweepOptions): Promise<SweepResult> {
  const { kills, runs, steps } = options;
  const server = new KilledServer(options);
  await server.start();
  const expected = runs * steps * 2;
  let [seen, killed] = [0, 0];
  let restarting = Promise.resolve();
  const onEvent = (): void => {
    seen += 1;
    if (killed >= kills || seen < ((killed + 1) * expected) / (kills + 1)) return;
    killed += 1;
    restarting = restarting.then(() => server.kill()).then(() => server.start());
  };
  const followed = await Promise.all(
    Array.from({ length: runs }, async (_, index) => {
      const runId = await send(server, `key-${index}`);
      return { runId, ...(await follow(server, runId, onEvent)) };
    }),
  );
  await restarting;
  const ids = await Promise.all(followed.map((_, index) => send(server, `key-${index}`)));
  const found = await judge(options.state, followed);
  await server.kill("SIGTERM");
  return {
    ...{ kills: killed, accepted: followed.length, events: seen, slowestStartMs: Math.round(server.slowestStartMs) },
    reconnects: followed.reduce((sum, { reconnects }) => sum + reconnects, 0),
    doubled:
      new Set(ids).size === runs && ids.every((id, index) => id === followed[index]?.runId) ? found.doubled : runs,
    ...{ completed: found.completed, lost: found.lost, unsettled: found.unsettled },
    ...{ wrongStreams: found.wrongStreams, wrongLogs: found.wrongLogs },
  };
}

interface Followed {
  readonly runId: string;
  readonly events: readonly Sent[];
}

/** Compares stored runs and events with acknowledged runs and received events. */
async function judge(state: string, followed: readonly Followed[]) {
  const store = openFileStore({ directory: state });
  const listed = new Map((await store.list()).map((run) => [run.runId, run]));
  const found = {
    completed: 0,
    lost: 0,
    doubled: listed.size - followed.length,
    unsettled: 0,
    wrongStreams: 0,
    wrongLogs: 0,
  };
  for (const { runId, events } of followed) {
    const run = listed.get(runId);
    if (run === undefined || !("record" in run)) {
      found.lost += 1;
      continue;
    }
    const { status } = run.record;
    if (status === "completed") found.completed += 1;
    const isSettled =
      TERMINAL_RUN_STATUSES.includes(status) || (!run.lease.isHeld && RESUMABLE_RUN_STATUSES.includes(status));
    if (!isSettled) found.unsettled += 1;
    const stored: unknown[] = [];
    for await (const envelope of store.events(runId)) stored.push(envelope);
    const sent = events.filter(({ id }) => id !== undefined);
    const isComplete = JSON.stringify(seqsOf(events)) === JSON.stringify(counted(stored.length));
    if (!isComplete || JSON.stringify(sent.map(({ data }) => data)) !== JSON.stringify(stored)) found.wrongStreams += 1;
    const starts = stored.filter((envelope) => JSON.stringify(envelope).includes('"type":"step_start"')).length;
    if (status === "completed" && starts === 0) found.wrongLogs += 1;
  }
  return found;
}
