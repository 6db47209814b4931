import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { explainConnection, explainSsh } from "./explain-ssh.ts";
import type { SshConnection } from "./ssh-connection.ts";
import { ConnectionFailure, connect } from "./ssh-connection.ts";
import type { SshTarget } from "./ssh-target.ts";
import { nameOf } from "./ssh-target.ts";

/** sshd allows ten sessions for each connection by default: one keeps it open, some may not have ended there yet. */
const MAX_SESSIONS = 7;
/** The path of a socket has at most 104 bytes, and ssh puts 17 behind it for a moment. */
const MAX_FOLDER_BYTES = 70;

/** What the place is made from. */
export interface SshBackendParts {
  readonly client: ClientProgram;
  readonly target: SshTarget;
  readonly connectTimeoutMs: number;
}

/** Another machine, reached by connections of our own that end with the place. Connects at the first start. */
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
  const pick = async (): Promise<SshConnection> => {
    for (;;) {
      if (closed !== undefined) throw new EngineError("environment.closed");
      for (const connection of connections) if (!connection.open) connections.delete(connection);
      const free = [...connections].find((connection) => connection.sessions < MAX_SESSIONS);
      if (free !== undefined) {
        // At once: others look for a place in the same turn.
        free.claim();
        return free;
      }
      // One after another: those who wait share the new one.
      connecting ??= open().finally(() => {
        connecting = undefined;
      });
      await connecting;
    }
  };
  return {
    name,
    start: async (script, options) => (await pick()).start(script, options?.signal),
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

/** A folder of this user alone. */
function makeSocketFolder(): Promise<string> {
  const base = tmpdir();
  return mkdtemp(join(Buffer.byteLength(base) > MAX_FOLDER_BYTES ? "/tmp" : base, "sy-"));
}
