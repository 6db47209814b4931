import { basename } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { createClientProgram } from "../client/client-program.ts";
import { checkProgram, findProgram } from "../client/find-program.ts";
import type { DockerClientOptions } from "./docker-options.ts";

/** Time limit of a short request to the engine, in milliseconds. */
export const RESPONSE_TIMEOUT_MS = 30_000;

/** Vendor of the engine. Podman differs from Docker in some options. */
export type EngineFlavour = "docker" | "podman";

/**
 * Finds the client program of a container engine. Throws `environment.unavailable` if none is installed, and
 * `config.invalid` if `client` is not an executable file.
 */
export async function findContainerEngine(options: DockerClientOptions): Promise<ClientProgram> {
  return createClientProgram(await findClient(options), options.hostEnv ?? {});
}

/** Asks the client program whether it is Docker or Podman, because Podman may be installed as `docker`. */
export async function detectFlavour(engine: ClientProgram, signal?: AbortSignal): Promise<EngineFlavour> {
  const version = await engine.run(["--version"], { signal, timeoutMs: RESPONSE_TIMEOUT_MS });
  signal?.throwIfAborted();
  return /podman/i.test(version.stdout) ? "podman" : "docker";
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
    problem: `${names.join(" or ")} is not on the PATH; install Docker or Podman, or set the path of its client.`,
  });
}
