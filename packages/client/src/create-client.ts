import type {
  ArtifactView,
  CallerView,
  CreateRun,
  Envelope,
  ForkRun,
  RunDetail,
  RunList,
  RunStatistics,
  RunStatus,
  RunView,
  SessionInput,
  SessionResult,
  UndoneRun,
  WorkspaceSource,
} from "@switchyard/contracts";
import { type Watcher, type WatchOptions, watchRun } from "./events/watch-run.ts";
import { callServer, invalidResponse, piecesOf, type ServerCall } from "./http/call-server.ts";
import { type Retries, sleepFor } from "./http/retries.ts";
import { readAddress, type ServerAddress } from "./http/server-address.ts";

/** Options for `createClient`. */
export interface ClientOptions {
  /** Base URL of the server, such as `http://127.0.0.1:8787`. A path before `/v1` is preserved. */
  readonly url: string;
  /** Access token of the caller. Sent in a header and never logged. Default: none, for a server without tokens. */
  readonly token?: string | undefined;
  /**
   * Maximum number of retries of an idempotent request, and of consecutive stream connections without events. Default:
   * 8.
   */
  readonly retries?: number | undefined;
  /**
   * Time without a heartbeat after which a stream reconnects, in milliseconds. Default: 45,000, which is three
   * heartbeat intervals of the server.
   */
  readonly stallMs?: number | undefined;
  /** Function that sends requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Function that waits between retries. Default: a timer. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns a random number from 0 to 1, for retry delays. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Signal that cancels the call. The run continues. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for creating a run. */
export interface CreateRunOptions extends CallOptions {
  /**
   * Idempotency key: repeated requests with the same key create one run. Default: a new key, so that retries are safe.
   */
  readonly idempotencyKey?: string | undefined;
  /** URL that receives a POST request when the run ends. */
  readonly webhookUrl?: string | undefined;
  /** JSON Schema of the response. The run's `output` then holds the parsed document. Default: free text. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Maximum number of attempts (executions of the run). A further one follows only after a failure that may be temporary.
   * Default: 1.
   */
  readonly maxAttempts?: number | undefined;
  /** Files for the workspace, by path. */
  readonly files?: Readonly<Record<string, Blob | string>> | undefined;
  /** Name of the engine, on a server whose workers have several engines. Default: the server's engine. */
  readonly engine?: string | undefined;
  /** Environment that the worker must have. Only on a server with workers. Default: any. */
  readonly environment?: string | undefined;
  /** Labels that the worker must have, with their values. Only on a server with workers. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Among the caller's waiting runs, those with a higher number start first. Default: 0. */
  readonly priority?: number | undefined;
  /**
   * What the engine works on: a Git repository, or a folder that the worker offers. Only on a server with workers.
   * Default: the uploaded files.
   */
  readonly workspace?: WorkspaceSource | undefined;
}

/** Filter for runs. */
export interface RunFilterOptions {
  /** Only runs with one of these statuses. */
  readonly status?: readonly RunStatus[] | undefined;
  /** Only runs of this engine. */
  readonly engine?: string | undefined;
  /** Only runs of this owner. */
  readonly owner?: string | undefined;
  /** Only runs that were forked from the run with this id. */
  readonly parentRunId?: string | undefined;
  /** Only runs whose title, engine, model, id or owner contain all of these words. Ignores case. */
  readonly search?: string | undefined;
  /** Only runs accepted at or after this time, ISO 8601. */
  readonly since?: string | undefined;
  /** Only runs accepted before this time, ISO 8601. */
  readonly until?: string | undefined;
}

/** Options for listing runs. */
export interface ListRunsOptions extends CallOptions, RunFilterOptions {
  /** Maximum number of runs per page, 1 to 200. Default: 50. */
  readonly limit?: number | undefined;
  /** Cursor of the page to list: `next_cursor` of the previous page, with the same filter and order. */
  readonly cursor?: string | undefined;
  /** Order of the list; `-` means descending. Default: `-created`, newest first. */
  readonly sort?: `${"-" | ""}${"created" | "duration" | "cost" | "tokens"}` | undefined;
}

/** Options for forking a run. */
export interface ForkRunOptions extends CallOptions {
  /** Messages to append to the conversation of the forked run. */
  readonly messages?: ForkRun["messages"];
  /** Model for the new run, `provider/name`. Default: the model of the original run. */
  readonly model?: string | undefined;
  /** URL that receives a POST request when the new run ends. */
  readonly webhookUrl?: string | undefined;
}

/** Answer to a question of a run. */
export interface RunReply {
  /** Id of the question, from the event `user_prompted`. */
  readonly promptId: string;
  /** Text of the answer. */
  readonly text: string;
}

/** Operations on the runs of a server. */
export interface Runs {
  /** Creates a run. The server stores the run on disk before it responds, and starts it when a worker is free. */
  create(input: SessionInput, options?: CreateRunOptions): Promise<RunView>;
  /** Resolves with a page of runs. */
  list(options?: ListRunsOptions): Promise<RunList>;
  /** Streams all runs that match the options, page by page. */
  all(options?: ListRunsOptions): AsyncGenerator<RunView, void>;
  /** Resolves with the number of runs, their tokens and their costs, for each day and engine. */
  statistics(options?: CallOptions & RunFilterOptions): Promise<RunStatistics>;
  /** Resolves with the owner and the roles of this client, and with the owner's remaining quotas. */
  caller(options?: CallOptions): Promise<CallerView>;
  /** Resolves with a run, including its result if it has ended. */
  get(runId: string, options?: CallOptions): Promise<RunDetail>;
  /**
   * Streams the events of a run until it ends, reconnecting as needed. Stored events are complete, in order and without
   * duplicates; deltas may be missing. Returns the final status.
   */
  events(runId: string, options?: WatchOptions): AsyncGenerator<Envelope, RunStatus | undefined>;
  /** Waits until the run ends and resolves with its result. */
  wait(runId: string, options?: CallOptions): Promise<RunDetail>;
  /**
   * Sends a message to the running engine. The engine receives it between two tool rounds. With `when: "after"`, the
   * engine receives it when the current input is done.
   */
  steer(runId: string, text: string, options?: CallOptions & { readonly when?: "now" | "after" }): Promise<void>;
  /** Answers a question of the engine. */
  answer(runId: string, reply: RunReply, options?: CallOptions): Promise<void>;
  /** Requests a clean stop of the run. */
  interrupt(runId: string, options?: CallOptions & { readonly detail?: string }): Promise<void>;
  /** Resumes a run that was stopped, was interrupted, or failed. */
  resume(runId: string, options?: CallOptions): Promise<RunView>;
  /** Creates a new run that continues from a finished run. */
  fork(runId: string, options?: ForkRunOptions): Promise<RunView>;
  /**
   * Reverts the changes that a finished run made to its workspace: all of them, or none. `dryRun` only checks whether
   * this is possible. Rejects with `run.not_undoable` if it is not possible.
   */
  undo(runId: string, options?: CallOptions & { readonly dryRun?: boolean }): Promise<UndoneRun>;
  /** Deletes a finished run with its files. */
  delete(runId: string, options?: CallOptions): Promise<void>;
  /** Resolves with the artifacts of a run. */
  artifacts(runId: string, options?: CallOptions): Promise<readonly ArtifactView[]>;
  /** Streams the bytes of an artifact, given its path. Stopping the iteration closes the connection. */
  artifact(runId: string, path: string, options?: CallOptions): Promise<AsyncGenerator<Uint8Array, void>>;
  /**
   * Streams the changes of a finished run as a patch for `git apply`. Stopping the iteration closes the connection.
   * Rejects with `server.no_patch` if the exact changes are not stored.
   */
  patch(runId: string, options?: CallOptions): Promise<AsyncGenerator<Uint8Array, void>>;
}

/** Client of one server. Safe for concurrent use; holds no open connection. */
export interface SwitchyardClient {
  /** Runs a task and waits for its result in one request, as the HTTP transport of a custom engine does. */
  run(input: SessionInput, options?: CallOptions & Pick<CreateRunOptions, "files">): Promise<SessionResult>;
  /** Operations on runs. A run continues after the request that created it has ended. */
  readonly runs: Runs;
}

/** Returns the options of a new run in wire format. */
function toRunOptions(options: CreateRunOptions): Partial<CreateRun> {
  const { webhookUrl, outputSchema, maxAttempts, engine, environment, labels, priority, workspace } = options;
  return {
    ...(engine === undefined ? {} : { engine }),
    ...(environment === undefined ? {} : { environment }),
    ...(labels === undefined ? {} : { labels: { ...labels } }),
    ...(priority === undefined ? {} : { priority }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(outputSchema === undefined ? {} : { output_schema: { ...outputSchema } }),
    ...(maxAttempts === undefined ? {} : { max_attempts: maxAttempts }),
    ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
  };
}

/**
 * Creates a client. Throws `config.invalid`. Calls reject with a `ServerProblem` for an error response, with
 * `server.unreachable`, with `server.bad_answer`, or with the signal's reason.
 */
export function createClient(options: ClientOptions): SwitchyardClient {
  const { url, token, retries: maxRetries = 8, stallMs = 45_000, sleep = sleepFor, random = Math.random } = options;
  const address = readAddress(url, token, options.fetch ?? platformFetch);
  const watcher: Watcher = { address, stallMs, retries: { maxRetries, sleep, random } };
  const caller = new Caller(watcher);
  return {
    run: (input, { files, signal } = {}) => {
      const form = files === undefined ? undefined : formOf(input, files);
      return caller.read({ method: "POST", path: "/v1/run", json: input, form, signal, isRepeatable: false });
    },
    runs: runsOf(caller, watcher),
  };
}

/**
 * Calls the platform's `fetch`. A browser's `fetch` must not be called as a method of another object, so it is wrapped
 * in a function.
 */
function platformFetch(...call: Parameters<typeof globalThis.fetch>): Promise<Response> {
  return globalThis.fetch(...call);
}

/** Sends requests and parses their JSON responses. */
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

  /** Resolves with the JSON object in the response. Rejects with `server.bad_answer` for any other response. */
  async read<T>(call: ServerCall): Promise<T> {
    const response = await this.send(call);
    try {
      const answer: T = JSON.parse(await response.text());
      if (typeof answer === "object" && answer !== null) return answer;
    } catch {
      call.signal?.throwIfAborted();
    }
    throw invalidResponse(this.#address, "its response is not a JSON object");
  }

  /** Sends requests without retries, because they are not idempotent. */
  async sendOnce(
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
      await caller.sendOnce(runId, "steer", { json: { text, ...(when === undefined ? {} : { when }) }, signal });
    },
    async answer(runId, { promptId, text }, { signal } = {}) {
      await caller.sendOnce(runId, "answer", { json: { prompt_id: promptId, text }, signal });
    },
    async interrupt(runId, { detail, signal } = {}) {
      await caller.sendOnce(runId, "interrupt", { json: detail === undefined ? {} : { detail }, signal });
    },
  };
  return runs;
}

type Access = Pick<
  Runs,
  | "create"
  | "list"
  | "statistics"
  | "caller"
  | "get"
  | "resume"
  | "fork"
  | "undo"
  | "delete"
  | "artifacts"
  | "artifact"
  | "patch"
>;

function accessTo(caller: Caller): Access {
  return {
    create(input, { idempotencyKey = crypto.randomUUID(), files, signal, ...wishes } = {}) {
      const json = { input, ...toRunOptions(wishes) };
      const form = files === undefined ? undefined : formOf(json, files);
      const headers = { "idempotency-key": idempotencyKey };
      return caller.read({ method: "POST", path: "/v1/runs", json, form, headers, signal, isRepeatable: true });
    },
    list: ({ signal, ...filter } = {}) =>
      caller.read({ method: "GET", path: `/v1/runs${queryOf(filter)}`, signal, isRepeatable: true }),
    statistics: ({ signal, ...filter } = {}) =>
      caller.read({ method: "GET", path: `/v1/statistics${queryOf(filter)}`, signal, isRepeatable: true }),
    caller: ({ signal } = {}) => caller.read({ method: "GET", path: "/v1/caller", signal, isRepeatable: true }),
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
    undo(runId, { dryRun, signal } = {}) {
      const json = dryRun === undefined ? {} : { dry_run: dryRun };
      return caller.read({ method: "POST", path: `${pathOf(runId)}/undo`, json, signal, isRepeatable: false });
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
    async patch(runId, { signal } = {}) {
      return piecesOf(await caller.send({ method: "GET", path: `${pathOf(runId)}/patch`, signal, isRepeatable: true }));
    },
  };
}

function pathOf(runId: string): string {
  return `/v1/runs/${encodeURIComponent(runId)}`;
}

function queryOf({ limit, status, parentRunId, ...others }: Omit<ListRunsOptions, "signal">): string {
  const named = {
    ...{ limit: limit?.toString(), status: status?.join(","), parent_run_id: parentRunId },
    ...others,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? "" : `?${query}`;
}

/**
 * Returns the multipart form of a task with files, as in the custom-engine HTTP contract: the part `payload`, and the
 * parts `files`, named by their paths.
 */
function formOf(payload: unknown, files: Readonly<Record<string, Blob | string>>): FormData {
  const form = new FormData();
  form.append("payload", JSON.stringify(payload));
  for (const [path, content] of Object.entries(files)) {
    form.append("files", content instanceof Blob ? content : new Blob([content]), path);
  }
  return form;
}
