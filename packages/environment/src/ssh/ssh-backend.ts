import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError, type ExposedSocket } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { explainConnection, explainSsh } from "./explain-ssh.ts";
import type { SshConnection } from "./ssh-connection.ts";
import { ConnectionFailure, connect } from "./ssh-connection.ts";
import type { SshTarget } from "./ssh-target.ts";
import { nameOf } from "./ssh-target.ts";

/**
 * Maximum number of concurrent sessions per connection. It is less than sshd's default limit of ten, because one
 * session keeps the connection open, and others may still be closing.
 */
const MAX_SESSIONS = 7;
/**
 * Maximum length of the path of the control socket's folder, in bytes. A socket path has at most 104 bytes, of which
 * ssh temporarily uses 17 for a suffix.
 */
const MAX_FOLDER_BYTES = 70;

/** Client, target and folders that an ssh backend needs. */
export interface SshBackendParts {
  readonly client: ClientProgram;
  readonly target: SshTarget;
  readonly connectTimeoutMs: number;
}

/** Connections to one machine. Further ones are opened when all are busy. */
class ConnectionPool {
  readonly #parts: SshBackendParts;
  /** Folder of the control sockets. */
  readonly #folder: string;
  readonly #connections = new Set<SshConnection>();
  #count = 0;
  #closed: Promise<void> | undefined;
  #connecting: Promise<SshConnection> | undefined;

  constructor(parts: SshBackendParts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
  }

  /** Returns a path for a new socket in the folder. */
  socketPath(prefix = ""): string {
    return join(this.#folder, `${prefix}${++this.#count}`);
  }

  /** Resolves with a connection on which a session is reserved. Rejects with `environment.closed` after `close`. */
  async reserve(): Promise<SshConnection> {
    for (;;) {
      if (this.#closed !== undefined) throw new EngineError("environment.closed");
      for (const connection of this.#connections) if (!connection.open) this.#connections.delete(connection);
      const free = [...this.#connections].find((connection) => connection.sessions < MAX_SESSIONS);
      if (free !== undefined) {
        // Reserved synchronously, because another caller may choose the same connection in this event loop turn.
        free.claim();
        return free;
      }
      await this.#connect();
    }
  }

  /** Resolves with any open connection. `undefined` if a new one was closed at once. */
  async any(): Promise<SshConnection | undefined> {
    const isOpen = (connection: SshConnection): boolean => connection.open;
    if (![...this.#connections].some(isOpen)) await this.#connect();
    return [...this.#connections].find(isOpen);
  }

  /** Closes all connections and removes the folder of their sockets. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#connecting?.catch(() => {});
      await Promise.all([...this.#connections].map((connection) => connection.close()));
      await rm(this.#folder, { recursive: true, force: true });
    })();
    return this.#closed;
  }

  async #connect(): Promise<void> {
    // Only one connection is opened at a time. All callers that wait for it share it.
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }

  async #open(): Promise<SshConnection> {
    try {
      const connection = await connect({ ...this.#parts, socket: this.socketPath() });
      this.#connections.add(connection);
      return connection;
    } catch (error) {
      throw error instanceof ConnectionFailure ? explainConnection(nameOf(this.#parts.target), error) : error;
    }
  }
}

/**
 * Creates the backend for another machine. It uses dedicated connections, which are closed with the backend. The first
 * connection is opened when the first script is started.
 */
export async function createSshBackend(parts: SshBackendParts): Promise<RemoteBackend> {
  const name = nameOf(parts.target);
  const pool = new ConnectionPool(parts, await makeSocketFolder());
  return {
    name,
    start: async (script, options) => (await pool.reserve()).start(script, options?.signal),
    exposeSocket: async () => {
      const connection = await pool.any();
      return connection === undefined ? undefined : exposeSocket(connection, pool.socketPath("s"));
    },
    explain: (failure) => explainSsh(name, failure),
    close: () => pool.close(),
  };
}

/** Forwards a port of the machine to a Unix socket. Resolves with `undefined` if the machine refuses forwarding. */
async function exposeSocket(connection: SshConnection, socketPath: string): Promise<ExposedSocket | undefined> {
  const port = await connection.forward(socketPath);
  if (port === undefined) return undefined;
  return {
    ...{ socketPath, url: `http://127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      await connection.endForward(socketPath);
      await rm(socketPath, { force: true });
    },
  };
}

/** Creates a folder accessible only to this user. */
function makeSocketFolder(): Promise<string> {
  const base = tmpdir();
  return mkdtemp(join(Buffer.byteLength(base) > MAX_FOLDER_BYTES ? "/tmp" : base, "sy-"));
}
