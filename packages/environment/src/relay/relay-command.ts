import { RELAY_SOURCES, type RelayInterpreter } from "./relay-sources.ts";

/** Loopback port on which the relay listens in the network of the environment. */
export const RELAY_PORT = 3128;

/** Path at which commands of an environment see the Unix socket of their proxy. */
export const PROXY_SOCKET = "/run/switchyard-proxy.sock";

/** An interpreter that runs the relay. */
export interface RelayProgram {
  readonly interpreter: RelayInterpreter;
  /** Name or path of the interpreter. */
  readonly path: string;
}

/** Returns the command that starts a relay to a Unix socket: the path of the interpreter and its arguments. */
export function relayCommand({ interpreter, path }: RelayProgram, socketPath: string): readonly string[] {
  const { flag, source } = RELAY_SOURCES[interpreter];
  return [path, flag, source, String(RELAY_PORT), socketPath];
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
