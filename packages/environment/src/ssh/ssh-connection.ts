import { rm } from "node:fs/promises";
import type { SpawnedProcess } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { createByteWindow } from "../output/byte-window.ts";
import type { ClientFailure } from "../remote/remote-place.ts";
import { renderConnection, renderLoginCommand, renderSession } from "./ssh-arguments.ts";
import type { SshTarget } from "./ssh-target.ts";

const MAX_STDERR_CHARS = 4000;
/** The machine counts a session for a moment longer than its client lives. */
const SESSION_END_MS = 200;

/** One connection to a machine, which sessions share. */
export interface SshConnection {
  /** Sessions that have not ended, and those that are about to start. */
  readonly sessions: number;
  /** Takes the place of a session, which the next start fills. */
  claim(): void;
  /** Whether it holds. */
  readonly open: boolean;
  /** Starts a script in a session of its own. */
  start(script: string, signal: AbortSignal | undefined): Promise<SpawnedProcess>;
  /** Ends it with all its sessions. */
  close(): Promise<void>;
}

/** The connection did not come about. */
export class ConnectionFailure extends Error implements ClientFailure {
  readonly exitCode: number;
  readonly stderr: string;
  constructor({ exitCode, stderr }: ClientFailure) {
    super("The connection did not come about.");
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** What a connection is made with. */
export interface ConnectionInput {
  readonly client: ClientProgram;
  readonly target: SshTarget;
  /** Path of the socket that its sessions go through; nobody else may reach it. */
  readonly socket: string;
  readonly connectTimeoutMs: number;
}

/** Connects, and resolves when sessions can be started. Throws `ConnectionFailure`. */
export async function connect({ client, target, socket, connectTimeoutMs }: ConnectionInput): Promise<SshConnection> {
  const holder = await client.start(renderConnection(target, { socket, connectTimeoutMs }));
  const state = { open: true, sessions: 0 };
  const said = createByteWindow(MAX_STDERR_CHARS);
  const stderr = readAll(holder.stderr, (chunk) => said.write(chunk));
  const ended = holder.exited.then(() => {
    state.open = false;
  });
  const reader = holder.stdout.getReader();
  const { done } = await reader.read();
  if (done) {
    const { exitCode } = await holder.exited;
    await stderr;
    await holder[Symbol.asyncDispose]();
    throw new ConnectionFailure({ exitCode, stderr: said.toText().text });
  }
  // Nothing more is expected; what comes all the same must not fill the pipe.
  void readAll(reader, () => {});
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
        const session = await client.start(renderSession(target, socket, renderLoginCommand(script)), signal);
        void session.exited.then(() => {
          const free = setTimeout(() => {
            state.sessions -= 1;
          }, SESSION_END_MS);
          free.unref();
        });
        return session;
      } catch (error) {
        state.sessions -= 1;
        throw error;
      }
    },
    async close() {
      await holder[Symbol.asyncDispose]();
      await ended;
      await rm(socket, { force: true });
    },
  };
}

async function readAll(
  source: ReadableStream<Uint8Array> | ReadableStreamDefaultReader<Uint8Array>,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = source instanceof ReadableStream ? source.getReader() : source;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    take(value);
  }
}
