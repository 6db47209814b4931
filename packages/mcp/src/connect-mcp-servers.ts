import { setImmediate } from "node:timers/promises";
import { EngineError, type ExecutionEnvironment, type NoticePayload } from "@switchyard/contracts";
import { createMasker, type Secret, secret } from "@switchyard/secrets";
import type { McpLogins } from "./authorization/mcp-login.ts";
import { mcpSecrets } from "./config/mcp-secrets.ts";
import type { McpServers } from "./config/mcp-server-config.ts";
import type { EnvironmentRecord } from "./config/resolve-server-config.ts";
import { ServerConnection } from "./connection/server-connection.ts";
import { SYSTEM_TIMER, type Timer } from "./connection/timer.ts";
import type { McpConnections } from "./mcp-connections.ts";
import { serverLabels } from "./tool/tool-names.ts";

/** Options for connecting to servers. */
export interface ConnectOptions {
  /** MCP servers, by name. */
  readonly servers: McpServers;
  /** Environment in which program servers are started; usually that of the run. */
  readonly environment: ExecutionEnvironment;
  /** Values for the variable references in configurations. Default: none. */
  readonly env?: EnvironmentRecord | undefined;
  /** Additional secret values to mask in messages. */
  readonly secrets?: Iterable<string | Secret> | undefined;
  /** Maximum time to wait for the servers, in milliseconds. 0: do not wait. Default: 3,000. */
  readonly startWaitMs?: number | undefined;
  /** Closes all connections. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum size of one message from a server, in bytes. Default: 16 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Performs the HTTP requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Stored logins to HTTP servers, which are used and refreshed. `undefined`: no logins. */
  readonly logins?: McpLogins | undefined;
  /** Called with tokens before their first use, so that writers of events and reports can mask them. */
  readonly onSecret?: ((secret: Secret) => void) | undefined;
  /** Timer for the waits between attempts. Default: the process's timer. */
  readonly timer?: Timer | undefined;
}

const START_WAIT_MS = 3_000;
/** Maximum delay of a timer, in milliseconds. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Maximum number of notices (warnings for the user) that wait to be read. Further ones are dropped. */
const MAX_NOTICES = 100;

/** Creates a list of listeners that are called independently of each other. */
function createListeners() {
  const listeners = new Set<() => void>();
  return {
    add(listener: () => void): () => void {
      // The listener is wrapped, so that the same function can be registered twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    notify(): void {
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Resolves when each server is ready or has failed, or after the given time. */
async function startAll(connections: readonly ServerConnection[], waitMs: number): Promise<void> {
  const waited = new AbortController();
  const settled = Promise.all(connections.map((connection) => connection.start()));
  await Promise.race([settled, SYSTEM_TIMER.sleep(Math.min(waitMs, MAX_TIMER_MS), waited.signal)]);
  waited.abort();
}

/** Warns about late servers. Throws `mcp.required_unavailable` for a required server that is not ready. */
function judgeStart(
  connections: readonly ServerConnection[],
  { startWaitMs, onNotice }: { startWaitMs: number; onNotice: (notice: NoticePayload) => void },
): void {
  const late = `it is not ready after ${startWaitMs} ms`;
  for (const { status, isRequired } of connections) {
    const { name, state, problem = late } = status;
    // No warning is emitted for a server that is ready, or whose connection was closed while it was starting.
    if (state === "ready" || state === "closed") continue;
    if (isRequired) throw new EngineError("mcp.required_unavailable", { server: name, problem });
    // If the wait time is 0, no server is expected to be ready yet.
    if (state !== "connecting" || startWaitMs === 0) continue;
    const message = `The MCP server ${name} is late: ${late}. Its tools are offered as soon as it is ready.`;
    onNotice({ kind: "mcp_server_late", message, details: { server: name } });
  }
}

/**
 * Starts MCP servers and offers their tools as `server__tool`. Resolves when each server is ready or has failed, or
 * when the wait time is over. Other servers continue to start, and their tools appear later. Rejects only with
 * `mcp.required_unavailable`, for a `required` server that is not ready by then. Other problems appear in `servers()`
 * and as notices. See loop: MCP, §8.
 */
export async function connectMcpServers(options: ConnectOptions): Promise<McpConnections> {
  const { servers, environment, env = {}, secrets = [], signal, timer = SYSTEM_TIMER } = options;
  const listeners = createListeners();
  const notices: NoticePayload[] = [];
  const masker = createMasker([...mcpSecrets(servers, env), ...secrets]);
  const context = {
    ...{ environment, env, masker, timer },
    fetch: options.fetch ?? globalThis.fetch,
    logins: options.logins,
    onSecret: (value: string): void => {
      masker.add([value]);
      options.onSecret?.(secret(value));
    },
    maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    maskStream: () => masker.stream(),
    onChange: () => listeners.notify(),
    onNotice: (notice: NoticePayload): void => {
      if (notices.length < MAX_NOTICES) notices.push(notice);
      listeners.notify();
    },
  };
  const labels = serverLabels(Object.keys(servers));
  const connections = Object.entries(servers).map(
    ([name, config]) => new ServerConnection(name, { ...context, config, label: labels.get(name) ?? name }),
  );
  const settled = async (): Promise<void> => {
    // Yields to the event loop first. The server's unread output may already contain a notification of changed tools.
    await setImmediate();
    await Promise.all(connections.map((connection) => connection.refreshed()));
  };
  const close = async (): Promise<void> => {
    signal?.removeEventListener("abort", onAbort);
    await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()));
  };
  const onAbort = (): void => void close();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) await close();
  else {
    const { startWaitMs = START_WAIT_MS } = options;
    await startAll(connections, startWaitMs);
    try {
      judgeStart(connections, { startWaitMs, onNotice: context.onNotice });
    } catch (error) {
      await close();
      throw error;
    }
  }
  return {
    tools: () => connections.flatMap((connection) => connection.tools()),
    servers: () => connections.map(({ status }) => status),
    takeNotices: () => notices.splice(0),
    onChange: (listener) => listeners.add(listener),
    settled,
    [Symbol.asyncDispose]: close,
  };
}
