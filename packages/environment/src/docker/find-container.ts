import { EngineError } from "@switchyard/contracts";
import { checkRemotePath } from "../client/check-setting.ts";
import type { ClientProgram } from "../client/client-program.ts";
import { parseJson, textAt, valueAt } from "../client/read-json.ts";
import { checkContainer } from "./container-arguments.ts";
import { RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import type { DockerContainerOptions } from "./docker-options.ts";
import { explainEngine } from "./explain-engine.ts";

/** An existing container. */
export interface FoundContainer {
  /**
   * Full id of the container. The id is used instead of the name, because another container may get the same name
   * later.
   */
  readonly id: string;
  readonly workingDirectory: string;
}

/** Finds a running container. Throws `config.invalid` and `environment.unavailable`. */
export async function findContainer(engine: ClientProgram, options: DockerContainerOptions): Promise<FoundContainer> {
  const name = checkContainer(options.container);
  const requested =
    options.workingDirectory === undefined ? undefined : checkRemotePath("workingDirectory", options.workingDirectory);
  const environment = `docker:@${name}`;
  const result = await engine.run(["inspect", "--type", "container", "--", name], {
    signal: options.signal,
    timeoutMs: RESPONSE_TIMEOUT_MS,
  });
  options.signal?.throwIfAborted();
  if (result.exitCode !== 0) throw explainEngine(environment, result);
  const found = valueAt(parseJson(result.stdout), 0);
  const status = textAt(found, "State", "Status");
  if (status !== "running") {
    const problem = `the container is ${status === "" ? "in no known state" : status}, not running; start it.`;
    throw new EngineError("environment.unavailable", { environment, problem });
  }
  const imageDefault = textAt(found, "Config", "WorkingDir");
  return { id: textAt(found, "Id"), workingDirectory: requested ?? (imageDefault === "" ? "/" : imageDefault) };
}
