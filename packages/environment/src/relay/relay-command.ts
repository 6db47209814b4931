import { RELAY_SOURCES, type RelayInterpreter } from "./relay-sources.ts";

/** Loopback port of the environment on which the relay listens. The relay passes connections to the host. */
export const RELAY_PORT = 3128;

/** Path at which commands of an environment see the Unix socket of their proxy. */
export const PROXY_SOCKET = "/run/switchyard-proxy.sock";

/** Folder in which commands of an environment see the sockets of the host. */
export const SOCKET_FOLDER = "/run/switchyard";

/** First loopback port for exposed sockets. Each further socket has the next free port. */
export const FIRST_EXPOSED_PORT: number = RELAY_PORT + 1;

/** A loopback port of an environment, and the path of the Unix socket to which the relay passes its connections. */
export interface RelayedPort {
  readonly port: number;
  /** Path in the environment, without spaces. */
  readonly socketPath: string;
}

/** An interpreter that runs the relay, a program that passes connections out of an environment. */
export interface RelayProgram {
  readonly interpreter: RelayInterpreter;
  /** Name or path of the interpreter. */
  readonly path: string;
}

/** Returns the command that starts a relay: the path of the interpreter and three arguments. */
export function relayCommand({ interpreter, path }: RelayProgram, ports: readonly RelayedPort[]): readonly string[] {
  const { flag, source } = RELAY_SOURCES[interpreter];
  return [path, flag, source, renderPorts(ports)];
}

/** Returns the argument that passes the ports and sockets to the relay. */
export function renderPorts(ports: readonly RelayedPort[]): string {
  return ports.map(({ port, socketPath }) => `${port} ${socketPath}`).join(" ");
}

/**
 * Returns the environment variables with which programs use the relay as their proxy: curl, git, npm, pip, cargo, apt,
 * Yarn, and Node from version 22.21 on.
 */
export function proxyVariables(): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${RELAY_PORT}`;
  const direct = "localhost,127.0.0.1,::1";
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  return {
    ...Object.fromEntries([...names, ...names.map((name) => name.toLowerCase())].map((name) => [name, url])),
    ...{ NO_PROXY: direct, no_proxy: direct },
    ...{ YARN_HTTP_PROXY: url, YARN_HTTPS_PROXY: url, NODE_USE_ENV_PROXY: "1" },
  };
}
