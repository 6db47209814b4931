import { EngineError } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { PROXY_SOCKET, RELAY_PORT, renderPorts } from "../relay/relay-command.ts";
import { RELAY_INTERPRETERS, RELAY_SOURCES } from "../relay/relay-sources.ts";
import { RESPONSE_TIMEOUT_MS } from "./container-engine.ts";

/**
 * Script that starts the relay with the first interpreter that is installed in the container. The first argument is the
 * relay's ports. Three arguments follow for each interpreter: its name, its option for code, and the code of the relay.
 */
const START = `ports=$1; shift
while [ $# -gt 0 ]; do
  if command -v "$1" >/dev/null 2>&1; then
    [ "$("$1" "$2" "$3" "$ports" 2>/dev/null </dev/null &)" = ok ] && exit 0
  fi
  shift 3
done
exit 1`;

const PROXY = { port: RELAY_PORT, socketPath: PROXY_SOCKET };

/** A container and the user that runs commands in it. */
export interface RelayContainer {
  readonly image: string;
  readonly name: string;
  readonly user: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Starts a relay in a container. The relay passes connections from a loopback port to the mounted socket of the proxy.
 * Throws `environment.unavailable` if the image has no interpreter for the relay.
 */
export async function startRelay(engine: ClientProgram, { image, name, user, signal }: RelayContainer): Promise<void> {
  const programs = RELAY_INTERPRETERS.flatMap((interpreter) => {
    const { flag, source } = RELAY_SOURCES[interpreter];
    return [interpreter, flag, source];
  });
  const words = ["sh", "-c", START, "sh", renderPorts([PROXY]), ...programs];
  const args = ["exec", ...(user === undefined ? [] : ["--user", user]), "--", name, ...words];
  const { exitCode } = await engine.run(args, { signal, timeoutMs: RESPONSE_TIMEOUT_MS });
  signal?.throwIfAborted();
  if (exitCode === 0) return;
  const problem = "a list of hosts needs perl, python3 or node in the image; use another image or another network.";
  throw new EngineError("environment.unavailable", { environment: `docker:${image}`, problem });
}
