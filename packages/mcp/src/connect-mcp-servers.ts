import { setImmediate } from "node:timers/promises";
import { EngineError, type ExecutionEnvironment, type NoticePayload } from "@switchyard/contracts";
import { createMasker, type Secret, secret } from "@switchyard/secrets";
import { mcpSecrets } from "./config/mcp-secrets.ts";
import type { McpServers } from "./config/mcp-server-config.ts";
import type { EnvironmentRecord } from "./config/resolve-server-config.ts";
import { ServerConnection } from "./connection/server-connection.ts";
import { SYSTEM_TIMER, type Timer } from "./connection/timer.ts";
import type { McpConnections } from "./mcp-connections.ts";
import type { McpSignIns } from "./sign-in/mcp-sign-in.ts";
import { serverLabels } from "./tool/tool-names.ts";

/** Which servers, where they run, and what is waited for. */
export interface ConnectOptions {
  /** The servers by name. */
  readonly servers: McpServers;
  /** Starts those that are programs; servers of a run belong into the run's own. */
  readonly environment: ExecutionEnvironment;
  /** Values of the references in configurations; none by default. */
  readonly env?: EnvironmentRecord | undefined;
  /** Values that must not appear in messages, beside those of the configurations. */
  readonly secrets?: Iterable<string | Secret> | undefined;
  /** Longest time the servers are waited for, in milliseconds; 3,000 by default, 0 for not at all. */
  readonly startWaitMs?: number | undefined;
  /** Closes all of them when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of one message of a server; 16 MiB by default. */
  readonly maxMessageBytes?: number | undefined;
  /** Makes the requests to servers on the network; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sign-ins to servers over HTTP, which are used and refreshed; nobody is signed in without it. */
  readonly signIns?: McpSignIns | undefined;
  /** Told of tokens before they are used first: whatever writes events and reports must not show them. */
  readonly onSecret?: ((secret: Secret) => void) | undefined;
  /** Waits between attempts; the process's timer by default. */
  readonly timer?: Timer | undefined;
}

const START_WAIT_MS = 3_000;
/** Longer times make a timer fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Most notices that wait for somebody to take them. */
const MAX_NOTICES = 100;

/** Calls back whoever listens, each in its own right. */
function createListeners() {
  const listeners = new Set<() => void>();
  return {
    add(listener: () => void): () => void {
      // One function may listen twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(): void {
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Resolves when each server is ready or has failed, after the given time at the latest. */
async function startAll(connections: readonly ServerConnection[], waitMs: number): Promise<void> {
  const waited = new AbortController();
  const settled = Promise.all(connections.map((connection) => connection.start()));
  await Promise.race([settled, SYSTEM_TIMER.sleep(Math.min(waitMs, MAX_TIMER_MS), waited.signal)]);
  waited.abort();
}

/** Warns of servers that are late. Throws `mcp.required_unavailable` for one that is required and not ready. */
function judgeStart(
  connections: readonly ServerConnection[],
  { startWaitMs, onNotice }: { startWaitMs: number; onNotice: (notice: NoticePayload) => void },
): void {
  const late = `it is not ready after ${startWaitMs} ms`;
  for (const { status, isRequired } of connections) {
    const { name, state, problem = late } = status;
    // Who closes them while they start, or asked for that, is told nothing.
    if (state === "ready" || state === "closed") continue;
    if (isRequired) throw new EngineError("mcp.required_unavailable", { server: name, problem });
    // Who waits for none of them knows that none is there.
    if (state !== "connecting" || startWaitMs === 0) continue;
    const message = `The MCP server ${name} is late: ${late}. Its tools are offered as soon as it is.`;
    onNotice({ kind: "mcp_server_late", message, details: { server: name } });
  }
}

/**
 * Starts MCP servers and offers their tools as `server__tool`. Resolves when each is ready or has failed, or the time for
 * that is up; what is not ready then goes on starting, and its tools appear when it is. Rejects with
 * `mcp.required_unavailable` for a server that is `required` and not ready by then, and for nothing else that a server
 * does: `servers()` tells, and so do the notices. loop: MCP, §8.
 */
export async function connectMcpServers(options: ConnectOptions): Promise<McpConnections> {
  const { servers, environment, env = {}, secrets = [], signal, timer = SYSTEM_TIMER } = options;
  const listeners = createListeners();
  const notices: NoticePayload[] = [];
  const masker = createMasker([...mcpSecrets(servers, env), ...secrets]);
  const context = {
    ...{ environment, env, masker, timer },
    fetch: options.fetch ?? globalThis.fetch,
    signIns: options.signIns,
    onSecret: (value: string): void => {
      masker.add([value]);
      options.onSecret?.(secret(value));
    },
    maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    maskStream: () => masker.stream(),
    onChange: () => listeners.tell(),
    onNotice: (notice: NoticePayload): void => {
      if (notices.length < MAX_NOTICES) notices.push(notice);
      listeners.tell();
    },
  };
  const labels = serverLabels(Object.keys(servers));
  const connections = Object.entries(servers).map(
    ([name, config]) => new ServerConnection(name, { ...context, config, label: labels.get(name) ?? name }),
  );
  const settled = async (): Promise<void> => {
    // The announcement may be in what a server has written already, and is not read yet.
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
