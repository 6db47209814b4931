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

/**
 * Creates the backend for another machine. It uses dedicated connections, which are closed with the backend. The first
 * connection is opened when the first script is started.
 */
export async function createSshBackend({ client, target, connectTimeoutMs }: SshBackendParts): Promise<RemoteBackend> {
  const name = nameOf(target);
  const folder = await makeSocketFolder();
  const connections = new Set<SshConnection>();
  let count = 0;
  let closed: Promise<void> | undefined;
  let connecting: Promise<SshConnection> | undefined;
  const open = async (): Promise<SshConnection> => {
    try {
      const connection = await connect({ client, target, socket: join(folder, String(++count)), connectTimeoutMs });
      connections.add(connection);
      return connection;
    } catch (error) {
      throw error instanceof ConnectionFailure ? explainConnection(name, error) : error;
    }
  };
  const connectOnce = async (): Promise<void> => {
    // Only one connection is opened at a time. All callers that wait for it share it.
    connecting ??= open().finally(() => {
      connecting = undefined;
    });
    await connecting;
  };
  const pick = async (): Promise<SshConnection> => {
    for (;;) {
      if (closed !== undefined) throw new EngineError("environment.closed");
      for (const connection of connections) if (!connection.open) connections.delete(connection);
      const free = [...connections].find((connection) => connection.sessions < MAX_SESSIONS);
      if (free !== undefined) {
        // Reserved synchronously, because another caller may choose the same connection in this event loop turn.
        free.claim();
        return free;
      }
      await connectOnce();
    }
  };
  const exposeSocket = async (): Promise<ExposedSocket | undefined> => {
    if (![...connections].some((connection) => connection.open)) await connectOnce();
    const connection = [...connections].find((one) => one.open);
    const socketPath = join(folder, `s${++count}`);
    const port = await connection?.forward(socketPath);
    if (connection === undefined || port === undefined) return undefined;
    return {
      ...{ socketPath, url: `http://127.0.0.1:${port}` },
      async [Symbol.asyncDispose]() {
        await connection.endForward(socketPath);
        await rm(socketPath, { force: true });
      },
    };
  };
  return {
    name,
    start: async (script, options) => (await pick()).start(script, options?.signal),
    exposeSocket,
    explain: (failure) => explainSsh(name, failure),
    close() {
      closed ??= (async () => {
        await connecting?.catch(() => {});
        await Promise.all([...connections].map((connection) => connection.close()));
        await rm(folder, { recursive: true, force: true });
      })();
      return closed;
    },
  };
}

/** Creates a folder accessible only to this user. */
function makeSocketFolder(): Promise<string> {
  const base = tmpdir();
  return mkdtemp(join(Buffer.byteLength(base) > MAX_FOLDER_BYTES ? "/tmp" : base, "sy-"));
}
