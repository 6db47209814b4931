import type { ExecutionEnvironment } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import { type ConnectOptions, connectMcpServers } from "./connect-mcp-servers.ts";
import type { McpConnections } from "./mcp-connections.ts";

/** Connections to MCP servers that stay open over several runs, such as the turns of a conversation. */
export interface McpPool extends AsyncDisposable {
  /**
   * Connects to servers like `connectMcpServers`. Reuses the servers of the previous run if all of them are ready, no
   * other run uses them, and the folder and the configuration are the same. The servers run until the pool is disposed:
   * disposing the connections of one run does not end them. Runs outside the local environment get separate servers.
   */
  connect(options: ConnectOptions): Promise<McpConnections>;
}

/** Options of `createMcpPool`. */
export interface McpPoolOptions {
  /** Opens the environment in which servers for a folder are started. It outlives the environments of the runs. */
  readonly openEnvironment: (folder: string) => Promise<ExecutionEnvironment>;
}

/** Servers of the pool. */
interface OpenServers extends AsyncDisposable {
  /** Identifies the folder and configuration of the servers. */
  readonly key: string;
  readonly connections: McpConnections;
  /**
   * Passes the access tokens that the servers use to a run, so that the run can mask them. Tokens that the servers get
   * later are passed to this run too.
   */
  report(onSecret: ConnectOptions["onSecret"]): void;
}

/** Creates a pool without servers. */
export function createMcpPool({ openEnvironment }: McpPoolOptions): McpPool {
  let open: OpenServers | undefined;
  let isUsed = false;
  const close = async (): Promise<void> => {
    const closing = open;
    open = undefined;
    await closing?.[Symbol.asyncDispose]();
  };
  const take = async (options: ConnectOptions): Promise<OpenServers> => {
    const key = JSON.stringify([options.environment.workingDirectory, options.servers]);
    const isReady = open?.connections.servers().every(({ state }) => state === "ready") === true;
    if (open?.key !== key || !isReady) await close();
    else open.report(options.onSecret);
    open ??= await openServers(key, options, await openEnvironment(options.environment.workingDirectory));
    return open;
  };
  return {
    async connect(options) {
      if (isUsed || options.environment.name !== "local") return await connectMcpServers(options);
      isUsed = true;
      try {
        const { connections, report } = await take(options);
        const release = async (): Promise<void> => {
          report(undefined);
          isUsed = false;
        };
        return { ...connections, [Symbol.asyncDispose]: release };
      } catch (error) {
        isUsed = false;
        throw error;
      }
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Starts servers in an environment, which is closed with them. The run's signal cancels only the start. */
async function openServers(
  key: string,
  { signal, ...options }: ConnectOptions,
  environment: ExecutionEnvironment,
): Promise<OpenServers> {
  const tokens = new Set<string>();
  let { onSecret } = options;
  const report = (listener: ConnectOptions["onSecret"]): void => {
    onSecret = listener;
    for (const token of tokens) onSecret?.(secret(token));
  };
  const remember = (token: Secret): void => {
    tokens.add(token.reveal());
    onSecret?.(token);
  };
  const starting = new AbortController();
  const abort = (): void => starting.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    const connections = await connectMcpServers({
      ...{ ...options, environment, onSecret: remember },
      signal: starting.signal,
    });
    const close = async (): Promise<void> => {
      await connections[Symbol.asyncDispose]();
      await environment[Symbol.asyncDispose]();
    };
    return { key, connections, report, [Symbol.asyncDispose]: close };
  } catch (error) {
    await environment[Symbol.asyncDispose]();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
