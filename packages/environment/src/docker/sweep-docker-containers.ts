import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import { listAt, parseJson, textAt } from "../client/read-json.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import { findContainerEngine, RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import type { DockerClientOptions } from "./docker-options.ts";
import { explainEngine } from "./explain-engine.ts";

/**
 * Removes containers left behind by host processes of this machine that no longer run. Resolves with the number of
 * removed containers. Containers of running processes and of other machines are not touched. Throws
 * `environment.unavailable` and `config.invalid`.
 */
export async function sweepDockerContainers(options: DockerClientOptions = {}): Promise<number> {
  return sweepContainers(await findContainerEngine(options), createProcessOwner(), options.signal);
}

/** Removes containers whose owner (the host process that created them) is dead. Throws `environment.unavailable`. */
export async function sweepContainers(engine: ClientProgram, owner: Owner, signal?: AbortSignal): Promise<number> {
  const limits = { signal, timeoutMs: RESPONSE_TIMEOUT_MS };
  const filter = `label=${OWNER_LABELS.owner}`;
  const listed = await engine.run(["ps", "--all", "--quiet", "--no-trunc", "--filter", filter], limits);
  if (listed.exitCode !== 0) throw explainEngine("docker", listed);
  const ids = listed.stdout.split(/\s+/).filter((id) => /^[0-9a-f]{64}$/.test(id));
  if (ids.length === 0) return 0;
  // If one of the containers no longer exists, `inspect` fails but still reports the other containers.
  const { stdout } = await engine.run(["inspect", "--type", "container", ...ids], limits);
  const dead = listAt(parseJson(stdout)).filter(
    (found) => owner.livenessOf(textAt(found, "Config", "Labels", OWNER_LABELS.owner)) === "dead",
  );
  const names = dead.map((found) => textAt(found, "Id")).filter((id) => ids.includes(id));
  if (names.length === 0) return 0;
  const removed = await engine.run(["rm", "--force", "--volumes", ...names], limits);
  return removed.stdout.split(/\s+/).filter((id) => names.includes(id)).length;
}
