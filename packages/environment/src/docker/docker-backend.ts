import type { ClientProgram } from "../client/client-program.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { explainEngine } from "./explain-engine.ts";

/** Container that runs the scripts of an environment. */
export interface DockerBackendInput {
  /** Name of the environment, for reports. */
  readonly name: string;
  /** Name or id of the container. */
  readonly container: string;
  /** User that runs the scripts in the container. */
  readonly user: string | undefined;
  /** Home folder that scripts see. `undefined`: the container's setting. */
  readonly home?: string | undefined;
  /** Removes everything created for the run. */
  readonly close: () => Promise<void>;
}

/** Creates the backend that runs scripts in a container through a client program. */
export function createDockerBackend(engine: ClientProgram, input: DockerBackendInput): RemoteBackend {
  const user = [
    ...(input.user === undefined ? [] : ["--user", input.user]),
    ...(input.home === undefined ? [] : ["--env", `HOME=${input.home}`]),
  ];
  let closed: Promise<void> | undefined;
  return {
    name: input.name,
    boundsMemory: true,
    start(script, options) {
      // Without `--detach-keys=`, Podman interprets control characters in the input as its own keys, and exits at
      // Ctrl-P Ctrl-Q. Docker has such keys only with a terminal, so for Docker an empty value changes nothing.
      const how = ["--interactive", "--detach-keys="];
      return engine.start(["exec", ...how, ...user, "--", input.container, "sh", "-c", script], options?.signal);
    },
    explain: (failure) => explainEngine(input.name, failure),
    close() {
      closed ??= input.close();
      return closed;
    },
  };
}
