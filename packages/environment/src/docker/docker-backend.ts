import type { ClientProgram } from "../client/client-program.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { explainEngine } from "./explain-engine.ts";

/** A container in which scripts are run. */
export interface DockerBackendInput {
  /** Name of the place, for reports. */
  readonly name: string;
  /** Name or id of the container. */
  readonly container: string;
  /** User that scripts run as. */
  readonly user: string | undefined;
  /** Home folder that scripts see; as the container says if `undefined`. */
  readonly home?: string | undefined;
  /** Ends what was made for the run. */
  readonly close: () => Promise<void>;
}

/** A container as a place that a client program reaches. */
export function createDockerBackend(engine: ClientProgram, input: DockerBackendInput): RemoteBackend {
  const user = [
    ...(input.user === undefined ? [] : ["--user", input.user]),
    ...(input.home === undefined ? [] : ["--env", `HOME=${input.home}`]),
  ];
  let closed: Promise<void> | undefined;
  return {
    name: input.name,
    boundsMemory: true,
    start: (script, options) =>
      engine.start(["exec", "--interactive", ...user, "--", input.container, "sh", "-c", script], options?.signal),
    explain: (failure) => explainEngine(input.name, failure),
    close() {
      closed ??= input.close();
      return closed;
    },
  };
}
