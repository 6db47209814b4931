import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { SpawnedProcess } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { createByteWindow } from "../output/byte-window.ts";
import type { ClientFailure } from "../remote/remote-backend.ts";
import type { LoginProblem } from "./login-probe.ts";
import { createLoginProbe } from "./login-probe.ts";
import { skipUntil } from "./skip-until.ts";
import { renderConnection, renderForward, renderLoginCommand, renderSession } from "./ssh-arguments.ts";
import type { SshTarget } from "./ssh-target.ts";

const MAX_STDERR_CHARS = 4000;
/**
 * Time, in milliseconds, for which the ssh server may count a session as open after the session's client has exited.
 */
const SESSION_END_MS = 200;

/** An ssh connection to a machine. Several sessions can run scripts over it at the same time. */
export interface SshConnection {
  /** Number of sessions on this connection that run or are about to start. */
  readonly sessions: number;
  /** Reserves a session that the next call of `start` will use. */
  claim(): void;
  /** True while the connection works. */
  readonly open: boolean;
  /** Starts a script in a new session. */
  start(script: string, signal: AbortSignal | undefined): Promise<SpawnedProcess>;
  /**
   * Forwards a free loopback port of the machine to a Unix socket of this machine. Resolves with the port. `undefined` if
   * the machine refuses forwarding.
   */
  forward(socketPath: string): Promise<number | undefined>;
  /** Ends the forwarding to a Unix socket. Does nothing if the connection is closed. */
  endForward(socketPath: string): Promise<void>;
  /** Closes the connection and all its sessions. */
  close(): Promise<void>;
}

/** Details of a failed connection. */
interface FailedConnection extends ClientFailure {
  /** Reason why the login shell cannot run commands. */
  readonly login: LoginProblem;
}

/** Thrown if a connection fails, or if no command can run over it. */
export class ConnectionFailure extends Error implements FailedConnection {
  readonly exitCode: number;
  readonly stderr: string;
  readonly login: LoginProblem;
  constructor({ exitCode, stderr, login }: FailedConnection) {
    super("The connection did not come about.");
    this.exitCode = exitCode;
    this.stderr = stderr;
    this.login = login;
  }
}

/** Parameters for opening an ssh connection. */
export interface ConnectionInput {
  readonly client: ClientProgram;
  readonly target: SshTarget;
  /** Path of the control socket, which no other user can access. */
  readonly socket: string;
  readonly connectTimeoutMs: number;
}

/**
 * Starts the client program that holds a connection open, and resolves when the login shell has run a command. Throws
 * `ConnectionFailure`.
 */
async function openHolder({ client, target, socket, connectTimeoutMs }: ConnectionInput): Promise<SpawnedProcess> {
  const probe = createLoginProbe();
  const holder = await client.start(
    renderConnection(target, { socket, connectTimeoutMs, command: renderLoginCommand(probe.script) }),
  );
  const stderrWindow = createByteWindow(MAX_STDERR_CHARS);
  const stderr = readAll(holder.stderr, (chunk) => stderrWindow.write(chunk));
  // The ssh client itself gives up after `connectTimeoutMs`, which is half of this time limit.
  const login = await probe.ask(holder, 2 * connectTimeoutMs);
  if (login === undefined) return holder;
  if (login !== "ended") await holder[Symbol.asyncDispose]();
  const { exitCode } = await holder.exited;
  await stderr;
  await holder[Symbol.asyncDispose]();
  throw new ConnectionFailure({ exitCode, stderr: stderrWindow.toText().text, login });
}

/** Connects, and resolves when sessions can start. Throws `ConnectionFailure`. */
export async function connect(input: ConnectionInput): Promise<SshConnection> {
  const { client, target, socket, connectTimeoutMs } = input;
  const holder = await openHolder(input);
  const state = { open: true, sessions: 0 };
  const ended = holder.exited.then(() => {
    state.open = false;
  });
  return {
    get sessions() {
      return state.sessions;
    },
    get open() {
      return state.open;
    },
    claim() {
      state.sessions += 1;
    },
    async start(script, signal) {
      try {
        const mark = randomBytes(16).toString("hex");
        const command = renderLoginCommand(`printf '%s%s\\n' ${mark.slice(0, 16)} ${mark.slice(16)}\n${script}`);
        const session = await client.start(renderSession(target, socket, command), signal);
        void session.exited.then(() => {
          const free = setTimeout(() => {
            state.sessions -= 1;
          }, SESSION_END_MS);
          free.unref();
        });
        // Startup files of the login shell may print output before the script's output. This output is skipped.
        return { ...session, stdout: skipUntil(`${mark}\n`, session.stdout) };
      } catch (error) {
        state.sessions -= 1;
        throw error;
      }
    },
    async forward(socketPath) {
      const args = renderForward(target, { socket, command: "forward", target: socketPath });
      const { exitCode, stdout } = await client.run(args, { timeoutMs: connectTimeoutMs });
      const port = Number(stdout.trim());
      return exitCode === 0 && Number.isInteger(port) && port > 0 ? port : undefined;
    },
    async endForward(socketPath) {
      if (!state.open) return;
      const args = renderForward(target, { socket, command: "cancel", target: socketPath });
      await client.run(args, { timeoutMs: connectTimeoutMs });
    },
    async close() {
      await holder[Symbol.asyncDispose]();
      await ended;
      await rm(socket, { force: true });
    },
  };
}

async function readAll(source: ReadableStream<Uint8Array>, take: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of source) take(chunk);
}
