import type {
  ArtifactView,
  CreateRun,
  Envelope,
  ForkRun,
  RunDetail,
  RunList,
  RunStatus,
  RunView,
  SessionInput,
  SessionResult,
} from "@switchyard/contracts";
import { type Watcher, type WatchOptions, watchRun } from "./events/watch-run.ts";
import { badAnswer, callServer, piecesOf, type ServerCall } from "./http/call-server.ts";
import { type Retries, sleepFor } from "./http/retries.ts";
import { readAddress, type ServerAddress } from "./http/server-address.ts";

/** How a server is reached. */
export interface ClientOptions {
  /** Address of the server, `http://127.0.0.1:8787` for instance; a path before `/v1` is kept. */
  readonly url: string;
  /** Token of the caller; none for a server without tokens. It is sent in a header, and shown nowhere. */
  readonly token?: string | undefined;
  /** Repetitions of a request that does no harm when it is made again, and connections of a stream that bring nothing; 8 by default. */
  readonly retries?: number | undefined;
  /** Milliseconds without a sign of life after which a stream is connected anew; 45,000 by default, three heartbeats of the server. */
  readonly stallMs?: number | undefined;
  /** Sends requests; the platform's by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits between repetitions; by the clock by default. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Chance between 0 and 1 for those waits; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; the run goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What a new run takes besides its input. */
export interface CreateRunOptions extends CallOptions {
  /** The same key with the same request is one run; a new one by default, so that repetitions are safe. */
  readonly idempotencyKey?: string | undefined;
  /** Address that is told when the run is over. */
  readonly webhookUrl?: string | undefined;
  /** JSON Schema that its answer fits: `output` of the run then holds the document. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** How often the run is tried when it fails on the way; once by default. */
  readonly maxAttempts?: number | undefined;
  /** Files of the workspace by their path. */
  readonly files?: Readonly<Record<string, Blob | string>> | undefined;
}

/** Which runs are listed. */
export interface ListRunsOptions extends CallOptions {
  /** Most runs of a page: 1 to 200, 50 by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: `next_cursor` of the one before. */
  readonly cursor?: string | undefined;
  /** Only runs in these states. */
  readonly status?: readonly RunStatus[] | undefined;
  /** Only runs of this engine. */
  readonly engine?: string | undefined;
  /** Only runs of this owner. */
  readonly owner?: string | undefined;
  /** Only runs that were forked from this one. */
  readonly parentRunId?: string | undefined;
}

/** A run that is made of another one. */
export interface ForkRunOptions extends CallOptions {
  /** What is said next. */
  readonly messages?: ForkRun["messages"];
  /** Another model, `provider/name`. */
  readonly model?: string | undefined;
  /** Address that is told when the new run is over. */
  readonly webhookUrl?: string | undefined;
}

/** The answer to a question of a run. */
export interface RunReply {
  /** Id of the question, from the event `user_prompted`. */
  readonly promptId: string;
  /** The answer. */
  readonly text: string;
}

/** The runs of a server. */
export interface Runs {
  /** Accepts a run: it is on disk before the answer, and begins when its turn comes. */
  create(input: SessionInput, options?: CreateRunOptions): Promise<RunView>;
  /** A page of runs, the newest first. */
  list(options?: ListRunsOptions): Promise<RunList>;
  /** Every run, the newest first, over all pages. */
  all(options?: ListRunsOptions): AsyncGenerator<RunView, void>;
  /** A run, with its result when it is over. */
  get(runId: string, options?: CallOptions): Promise<RunDetail>;
  /**
   * Its events until it is over: stored ones once and in order, over as many connections as it takes; deltas as far as
   * they came by. Returns the status in which it ended.
   */
  events(runId: string, options?: WatchOptions): AsyncGenerator<Envelope, RunStatus | undefined>;
  /** Waits until nobody works on it any more, and gives what came of it. */
  wait(runId: string, options?: CallOptions): Promise<RunDetail>;
  /** Says something to the engine while it works; `after` it is done with what it works on. */
  steer(runId: string, text: string, options?: CallOptions & { readonly when?: "now" | "after" }): Promise<void>;
  /** Answers a question of the engine. */
  answer(runId: string, reply: RunReply, options?: CallOptions): Promise<void>;
  /** Asks it to stop cleanly. */
  interrupt(runId: string, options?: CallOptions & { readonly detail?: string }): Promise<void>;
  /** Goes on with one that was stopped, cut off, or failed on the way. */
  resume(runId: string, options?: CallOptions): Promise<RunView>;
  /** Makes a new run of one that is over. */
  fork(runId: string, options?: ForkRunOptions): Promise<RunView>;
  /** Removes one that nobody works on, with its files. */
  delete(runId: string, options?: CallOptions): Promise<void>;
  /** What was archived of it. */
  artifacts(runId: string, options?: CallOptions): Promise<readonly ArtifactView[]>;
  /** The bytes of an artifact, by its path; leaving them closes the connection. */
  artifact(runId: string, path: string, options?: CallOptions): Promise<AsyncGenerator<Uint8Array, void>>;
}

/** A client of one server. Safe for concurrent use; it holds no connection of its own. */
export interface SwitchyardClient {
  /** Runs a task and waits for its result, in one request: what a custom engine's http transport calls. */
  run(input: SessionInput, options?: CallOptions & Pick<CreateRunOptions, "files">): Promise<SessionResult>;
  /** Runs that outlive their request. */
  readonly runs: Runs;
}

/** What is asked of a run beside its input, as the server reads it. */
function toWishes({ webhookUrl, outputSchema, maxAttempts }: CreateRunOptions): Partial<CreateRun> {
  return {
    ...(outputSchema === undefined ? {} : { output_schema: { ...outputSchema } }),
    ...(maxAttempts === undefined ? {} : { max_attempts: maxAttempts }),
    ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
  };
}

/**
 * Makes a client. Throws `config.invalid`. Its calls reject with a `ServerProblem` for what the server refused,
 * `server.unreachable` when it stays away, `server.bad_answer`, and with the signal's reason. architecture: surfaces.
 */
export function createClient(options: ClientOptions): SwitchyardClient {
  const { url, token, retries: most = 8, stallMs = 45_000, sleep = sleepFor, random = Math.random } = options;
  const address = readAddress(url, token, options.fetch ?? platformFetch);
  const watcher: Watcher = { address, stallMs, retries: { most, sleep, random } };
  const caller = new Caller(watcher);
  return {
    run: (input, { files, signal } = {}) => {
      const form = files === undefined ? undefined : formOf(input, files);
      return caller.read({ method: "POST", path: "/v1/run", json: input, form, signal, isRepeatable: false });
    },
    runs: runsOf(caller, watcher),
  };
}

/** Called by its own name: that of a browser refuses to be a method of anything but the window. */
function platformFetch(...call: Parameters<typeof globalThis.fetch>): Promise<Response> {
  return globalThis.fetch(...call);
}

/** Makes calls and reads their answers. */
class Caller {
  readonly #address: ServerAddress;
  readonly #retries: Retries;

  constructor({ address, retries }: Watcher) {
    this.#address = address;
    this.#retries = retries;
  }

  send(call: ServerCall): Promise<Response> {
    return callServer(this.#address, call, this.#retries);
  }

  /** The answer as JSON. Rejects with `server.bad_answer` where it is no object. */
  async read<T>(call: ServerCall): Promise<T> {
    const response = await this.send(call);
    try {
      const answer: T = JSON.parse(await response.text());
      if (typeof answer === "object" && answer !== null) return answer;
    } catch {
      call.signal?.throwIfAborted();
    }
    throw badAnswer(this.#address, "its answer is no JSON object");
  }

  /** Calls that say something to a run, which is not said twice. */
  async tell(
    runId: string,
    verb: string,
    { json, signal }: { json: object; signal: AbortSignal | undefined },
  ): Promise<Response> {
    return this.send({ method: "POST", path: `${pathOf(runId)}/${verb}`, json, signal, isRepeatable: false });
  }
}

function runsOf(caller: Caller, watcher: Watcher): Runs {
  const runs: Runs = {
    ...accessTo(caller),
    events: (runId, options) => watchRun(watcher, runId, options),
    async wait(runId, { signal } = {}) {
      const events = watchRun(watcher, runId, { signal });
      while ((await events.next()).done !== true);
      return runs.get(runId, { signal });
    },
    async *all(options = {}) {
      for (let cursor = options.cursor; ; ) {
        const page = await runs.list({ ...options, cursor });
        yield* page.runs;
        if (page.next_cursor === undefined) return;
        cursor = page.next_cursor;
      }
    },
    async steer(runId, text, { when, signal } = {}) {
      await caller.tell(runId, "steer", { json: { text, ...(when === undefined ? {} : { when }) }, signal });
    },
    async answer(runId, { promptId, text }, { signal } = {}) {
      await caller.tell(runId, "answer", { json: { prompt_id: promptId, text }, signal });
    },
    async interrupt(runId, { detail, signal } = {}) {
      await caller.tell(runId, "interrupt", { json: detail === undefined ? {} : { detail }, signal });
    },
  };
  return runs;
}

type Access = Pick<Runs, "create" | "list" | "get" | "resume" | "fork" | "delete" | "artifacts" | "artifact">;

function accessTo(caller: Caller): Access {
  return {
    create(input, { idempotencyKey = crypto.randomUUID(), files, signal, ...wishes } = {}) {
      const json = { input, ...toWishes(wishes) };
      const form = files === undefined ? undefined : formOf(json, files);
      const headers = { "idempotency-key": idempotencyKey };
      return caller.read({ method: "POST", path: "/v1/runs", json, form, headers, signal, isRepeatable: true });
    },
    list: ({ signal, ...filter } = {}) =>
      caller.read({ method: "GET", path: `/v1/runs${queryOf(filter)}`, signal, isRepeatable: true }),
    get: (runId, { signal } = {}) => caller.read({ method: "GET", path: pathOf(runId), signal, isRepeatable: true }),
    resume: (runId, { signal } = {}) =>
      caller.read({ method: "POST", path: `${pathOf(runId)}/resume`, json: {}, signal, isRepeatable: false }),
    fork(runId, { messages, model, webhookUrl, signal } = {}) {
      const json = {
        ...(messages === undefined ? {} : { messages }),
        ...(model === undefined ? {} : { model }),
        ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
      };
      return caller.read({ method: "POST", path: `${pathOf(runId)}/fork`, json, signal, isRepeatable: false });
    },
    async delete(runId, { signal } = {}) {
      await caller.send({ method: "DELETE", path: pathOf(runId), signal, isRepeatable: false });
    },
    async artifacts(runId, { signal } = {}) {
      const path = `${pathOf(runId)}/artifacts`;
      const { artifacts } = await caller.read<{ artifacts: readonly ArtifactView[] }>({
        ...{ method: "GET", path, signal, isRepeatable: true },
      });
      return artifacts;
    },
    async artifact(runId, path, { signal } = {}) {
      const segments = path.split("/").map(encodeURIComponent).join("/");
      const target = `${pathOf(runId)}/artifacts/${segments}`;
      return piecesOf(await caller.send({ method: "GET", path: target, signal, isRepeatable: true }));
    },
  };
}

function pathOf(runId: string): string {
  return `/v1/runs/${encodeURIComponent(runId)}`;
}

function queryOf({ limit, cursor, status, engine, owner, parentRunId }: Omit<ListRunsOptions, "signal">): string {
  const named = {
    limit: limit?.toString(),
    cursor,
    status: status?.join(","),
    engine,
    owner,
    parent_run_id: parentRunId,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? "" : `?${query}`;
}

/** The form of the custom-engine http contract: the part `payload`, and the parts `files` named by their paths. */
function formOf(payload: unknown, files: Readonly<Record<string, Blob | string>>): FormData {
  const form = new FormData();
  form.append("payload", JSON.stringify(payload));
  for (const [path, content] of Object.entries(files)) {
    form.append("files", content instanceof Blob ? content : new Blob([content]), path);
  }
  return form;
}
