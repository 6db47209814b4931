import { chmod } from "node:fs/promises";
import type { Server } from "node:http";
import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { GatewayRunOptions } from "../gateway-options.ts";

/**
 * Permissions of an exposed socket: every user may connect. Only the run's environment can access the folder of the
 * socket.
 */
const EXPOSED_SOCKET_MODE = 0o666;

/**
 * Address at which the server of a run accepts connections. After it is disposed, the environment cannot reach the
 * server.
 */
export interface RunAddress extends AsyncDisposable {
  /** Address without a path, as the engine of the run uses it. */
  readonly baseUrl: string;
  /** Path of the Unix socket on this machine. `undefined` for a port. */
  readonly socketPath: string | undefined;
}

const NOTHING: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };

/**
 * Opens an address at which the engine of a run can reach the server of the run. Rejects with `config.invalid` if the
 * address is in use, and with `environment.unavailable` if the environment cannot reach this machine.
 */
export async function openAddress(server: Server, options: GatewayRunOptions): Promise<RunAddress> {
  const { environment, socketPath, socketMode = 0o600 } = options;
  if (environment !== undefined) {
    if (socketPath === undefined) return openInEnvironment(server, environment);
    throw new EngineError("config.invalid", { field: "socketPath", problem: "it cannot be used with `environment`" });
  }
  if (socketPath === undefined) return openPort(server);
  await listenOnSocket(server, socketPath, socketMode);
  return { baseUrl: "http://localhost", socketPath, ...NOTHING };
}

async function openInEnvironment(server: Server, environment: ExecutionEnvironment): Promise<RunAddress> {
  if (environment.sharesLoopback === true) return openPort(server);
  const exposed = await environment.exposeSocket?.();
  if (exposed === undefined) return openRelay(server, environment);
  try {
    await listenOnSocket(server, exposed.socketPath, EXPOSED_SOCKET_MODE);
  } catch (error) {
    await exposed[Symbol.asyncDispose]();
    throw error;
  }
  return {
    ...{ baseUrl: exposed.url, socketPath: exposed.socketPath },
    [Symbol.asyncDispose]: () => exposed[Symbol.asyncDispose](),
  };
}

/** Serves connections that a relay in the environment accepts. The server itself does not listen. */
async function openRelay(server: Server, environment: ExecutionEnvironment): Promise<RunAddress> {
  // Loaded on demand, because most runs need no relay.
  const { openConnectionRelay } = await import("@switchyard/environment");
  // Node.js enforces the time limits of requests only for connections that arrive after this event.
  server.emit("listening");
  let open = 0;
  const relay = await openConnectionRelay(environment, (connection) => {
    // Node.js enforces this limit only for connections that it accepts itself.
    if (open >= server.maxConnections) return void connection.destroy();
    open += 1;
    connection.once("close", () => {
      open -= 1;
    });
    server.emit("connection", connection);
  });
  return {
    ...{ baseUrl: relay.url, socketPath: undefined },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

async function openPort(server: Server): Promise<RunAddress> {
  await listen(server, () => server.listen(0, "127.0.0.1"));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  return { baseUrl: `http://127.0.0.1:${port}`, socketPath: undefined, ...NOTHING };
}

async function listenOnSocket(server: Server, socketPath: string, mode: number): Promise<void> {
  await listen(server, () => server.listen(socketPath));
  await chmod(socketPath, mode);
}

async function listen(server: Server, start: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const problem = messageOf(cause);
      reject(new EngineError("config.invalid", { field: "socketPath", problem }, { cause }));
    });
    server.once("listening", resolve);
    start();
  });
}
