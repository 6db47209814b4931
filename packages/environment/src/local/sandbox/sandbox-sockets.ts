import { rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExposedSocket } from "@switchyard/contracts";
import { FIRST_EXPOSED_PORT, type RelayedPort, SOCKET_FOLDER } from "../../relay/relay-command.ts";

/** Maximum length of the path of a Unix socket on Linux, in bytes. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Exposed sockets of one sandbox. */
export interface SandboxSockets {
  /**
   * Returns the ports on which the relay of the next command must listen. The relay passes connections out of the
   * sandbox.
   */
  ports(): readonly RelayedPort[];
  /**
   * Prepares a socket that commands started later can use. Throws `environment.unavailable` if the socket's path is too
   * long.
   */
  expose(): ExposedSocket;
}

/** Creates the list of exposed sockets of a sandbox. `folder` contains the sockets on this machine. */
export function createSandboxSockets(folder: string): SandboxSockets {
  const used = new Set<number>();
  const freePort = (): number => {
    let port = FIRST_EXPOSED_PORT;
    while (used.has(port)) port += 1;
    return port;
  };
  return {
    ports: () => [...used].map((port) => ({ port, socketPath: `${SOCKET_FOLDER}/${port}` })),
    expose() {
      const port = freePort();
      const socketPath = join(folder, String(port));
      if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
        const problem =
          "The folder for temporary files has a long path, so no socket can be created in it; set TMPDIR.";
        throw new EngineError("environment.unavailable", { environment: "sandbox", problem });
      }
      used.add(port);
      let closed: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        // The port is reused only after the socket is removed. Otherwise the server of the old socket could answer at
        // this port.
        await rm(socketPath, { force: true });
        used.delete(port);
      };
      return {
        socketPath,
        url: `http://127.0.0.1:${port}`,
        [Symbol.asyncDispose]() {
          closed ??= close();
          return closed;
        },
      };
    },
  };
}
