import type { ClientProgram } from "../client/client-program.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { explainKubectl } from "./explain-kubectl.ts";

/** Container of a pod that runs the scripts of an environment. */
export interface KubernetesBackendInput {
  /** Name of the environment, for reports. */
  readonly name: string;
  readonly pod: string;
  readonly container: string;
  /** Removes everything created for the run. */
  readonly close: () => Promise<void>;
}

/** Creates the backend that runs scripts in a pod through kubectl. */
export function createKubernetesBackend(cluster: ClientProgram, input: KubernetesBackendInput): RemoteBackend {
  const leading = ["exec", "--stdin", `--container=${input.container}`, input.pod, "--", "sh", "-c"];
  let closed: Promise<void> | undefined;
  return {
    name: input.name,
    // Seen with containerd 1.6 and kubectl over SPDY: about 1 % of short commands lost their output.
    losesLastOutput: true,
    boundsMemory: true,
    start: (script, options) => cluster.start([...leading, script], options?.signal),
    explain: (failure) => explainKubectl(input.name, failure),
    close() {
      closed ??= input.close();
      return closed;
    },
  };
}
