import { basename } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { createClientProgram } from "../client/client-program.ts";
import { checkProgram, findProgram } from "../client/find-program.ts";
import type { DockerClientOptions } from "./docker-options.ts";

/** Time for a short question to the engine. */
export const ANSWER_TIMEOUT_MS = 30_000;

/** A container engine that answers, by its client program. */
export interface ContainerEngine extends ClientProgram {
  /** Whose it is: Podman differs in some options, and may be installed as `docker` too. */
  readonly flavour: "docker" | "podman";
}

/**
 * Finds the client program of a container engine. Throws `environment.unavailable` where none is installed and
 * `config.invalid` for a `client` that is none.
 */
export async function findContainerEngine(options: DockerClientOptions): Promise<ContainerEngine> {
  const host = options.hostEnv ?? {};
  const program = createClientProgram(await findClient(options), host);
  const version = await program.run(["--version"], { signal: options.signal, timeoutMs: ANSWER_TIMEOUT_MS });
  options.signal?.throwIfAborted();
  return { ...program, flavour: /podman/i.test(version.stdout) ? "podman" : "docker" };
}

async function findClient({ client, hostEnv = {} }: DockerClientOptions): Promise<string> {
  if (client !== undefined && client !== "docker" && client !== "podman") return checkProgram("client", client);
  const names = client === undefined ? ["docker", "podman"] : [client];
  for (const name of names) {
    const found = await findProgram(name, hostEnv);
    if (found !== undefined) return found;
  }
  throw new EngineError("environment.unavailable", {
    environment: basename(names[0] ?? "docker"),
    problem: `there is no ${names.join(" or ")} on the PATH; install Docker or Podman, or name its client.`,
  });
}
