import type { Duplex } from "node:stream";
import { EngineError, type ExecutionEnvironment, type SpawnedProcess } from "@switchyard/contracts";
import { encodeFrame } from "../local/process/spawn-helper/helper-program.ts";
import { CONNECTION_WINDOW, createConnectionFrameReader } from "./connection-frame.ts";
import { CONNECTION_SOURCES } from "./connection-sources.ts";
import { RELAY_INTERPRETERS } from "./relay-sources.ts";
import { RelayedConnection } from "./relayed-connection.ts";

/** Maximum number of connections at the same time. Further clients wait, or are refused. */
const MAX_CONNECTIONS = 64;
const START_TIMEOUT_MS = 30_000;
/** Exit code of the start script if the environment has no interpreter for the relay. */
const NO_INTERPRETER = 69;
/** Maximum number of bytes of the relay's standard error that an error quotes. */
const MAX_ERROR_BYTES = 500;

/**
 * Shell script that replaces itself with the first interpreter that can run the relay. The first two arguments are
 * those of the relay. Four arguments follow for each interpreter: its name, its option for code, the code of the relay,
 * and a probe.
 */
const START = `window=$1 most=$2; shift 2
while [ $# -gt 0 ]; do
  if "$1" "$2" "$4" >/dev/null 2>&1 </dev/null; then exec "$1" "$2" "$3" "$window" "$most"; fi
  shift 4
done
exit ${NO_INTERPRETER}`;

/**
 * A relay: a command of an environment that passes connections to this process. Disposing it ends the command and all
 * connections.
 */
export interface ConnectionRelay extends AsyncDisposable {
  /** Address without a path, such as `http://127.0.0.1:41234`, at which processes of the environment connect. */
  readonly url: string;
  /** Resolves when the relay has ended, either by disposal, or because the environment was closed or lost. */
  readonly ended: Promise<void>;
}

/**
 * Starts a relay as a command of an environment. The relay listens on the loopback interface of the environment, and
 * carries connections over its standard streams. `onConnection` receives this side of each connection, which can be
 * emitted as event `connection` of a `node:http` server. A server that does not listen itself enforces its time limits
 * for requests only if the event `listening` is emitted before the first connection. Works wherever commands can be
 * started and perl, python3 or node is installed. A connection buffers at most 256 KiB per direction in the relay, and
 * as much here.
 *
 * Rejects with `environment.unavailable` if the environment has no interpreter for the relay, or if the relay does not
 * start within 30 seconds.
 */
export async function openConnectionRelay(
  environment: ExecutionEnvironment,
  onConnection: (connection: Duplex) => void,
): Promise<ConnectionRelay> {
  // Commands of an emulated shell have no network.
  if (environment.platform === "wasm") throw unavailable(environment, "its commands have no network");
  const programs = RELAY_INTERPRETERS.flatMap((interpreter) => {
    const { flag, source, probe } = CONNECTION_SOURCES[interpreter];
    return [interpreter, flag, source, probe];
  });
  const settings = [String(CONNECTION_WINDOW), String(MAX_CONNECTIONS)];
  const process = await environment.spawn(["sh", "-c", START, "sh", ...settings, ...programs], {
    env: { policy: "core" },
  });
  const carried = carryConnections(process, onConnection);
  const port = await waitForPort(carried.port);
  if (typeof port === "number") {
    return {
      url: `http://127.0.0.1:${port}`,
      ended: carried.ended,
      async [Symbol.asyncDispose]() {
        await process[Symbol.asyncDispose]();
        await carried.ended;
      },
    };
  }
  // Ends the relay if it still runs. Its exit code is then that of a signal.
  await process[Symbol.asyncDispose]();
  const { exitCode } = await process.exited;
  if (exitCode === NO_INTERPRETER)
    throw unavailable(environment, "a relay to the host needs perl, python3 or node in it; install one of them");
  const failure =
    port === "late"
      ? `did not start within ${START_TIMEOUT_MS / 1000} s`
      : `ended with exit code ${exitCode} at its start`;
  const said = carried.errors();
  throw unavailable(environment, `the relay to the host ${failure}${said === "" ? "" : `: ${said}`}`);
}

interface CarriedConnections {
  /** Resolves with the port on which the relay listens. `undefined` if the relay has ended. */
  readonly port: Promise<number | undefined>;
  /** Resolves when the relay has ended. */
  readonly ended: Promise<void>;
  /** Returns what the relay has written to its standard error, cut. */
  errors(): string;
}

function carryConnections(process: SpawnedProcess, onConnection: (connection: Duplex) => void): CarriedConnections {
  const connections = new Map<number, RelayedConnection>();
  const input = process.stdin.getWriter();
  // The end of the process is reported by its output.
  input.closed.catch(() => {});
  let setPort: (port: number | undefined) => void = () => {};
  const port = new Promise<number | undefined>((resolve) => {
    setPort = resolve;
  });
  const open = (id: number): void => {
    if (connections.has(id) || connections.size >= MAX_CONNECTIONS) return;
    const connection = new RelayedConnection((kind, payload) => input.write(encodeFrame(kind, id, payload)));
    connections.set(id, connection);
    // An HTTP server that gets the connection handles its errors too.
    connection.on("error", () => {}).once("close", () => connections.delete(id));
    onConnection(connection);
  };
  const read = createConnectionFrameReader(({ kind, id, payload }) => {
    if (kind === "r") setPort(Number(payload.toString("latin1")));
    else if (kind === "o") open(id);
    else connections.get(id)?.receive(kind, payload);
  });
  const ended = readAll(process, read).then(() => {
    setPort(undefined);
    for (const connection of connections.values()) connection.closeByRelay();
  });
  let errors = Buffer.alloc(0);
  const keep = (chunk: Uint8Array): boolean => {
    errors = Buffer.concat([errors, chunk.subarray(0, MAX_ERROR_BYTES - errors.length)]);
    return true;
  };
  void readAll(process, keep, "stderr");
  return { port, ended, errors: () => errors.toString("utf8").trim() };
}

/** Passes on the output of a process until its end. If the output is invalid, the process is ended. */
async function readAll(
  process: SpawnedProcess,
  read: (chunk: Uint8Array) => boolean,
  stream: "stdout" | "stderr" = "stdout",
): Promise<void> {
  try {
    for await (const chunk of process[stream]) {
      if (read(chunk)) continue;
      process.kill("SIGKILL");
      return;
    }
  } catch {
    // A broken stream is treated as ended.
  }
}

/** Resolves with the port of a relay, `ended` if the relay ended without a port, or `late` after the time limit. */
async function waitForPort(port: Promise<number | undefined>): Promise<number | "ended" | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), START_TIMEOUT_MS);
  });
  const found = await Promise.race([port, late]);
  clearTimeout(timer);
  if (found === "late") return found;
  return found !== undefined && Number.isInteger(found) && found > 0 && found < 65_536 ? found : "ended";
}

function unavailable({ name }: ExecutionEnvironment, problem: string): EngineError {
  return new EngineError("environment.unavailable", { environment: name, problem: `${problem}.` });
}
