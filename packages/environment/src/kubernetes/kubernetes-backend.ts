import type { ClientProgram } from "../client/client-program.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { explainKubectl } from "./explain-kubectl.ts";

/** A container of a pod in which scripts are run. */
export interface KubernetesBackendInput {
  /** Name of the place, for reports. */
  readonly name: string;
  readonly pod: string;
  readonly container: string;
  /** Ends what was made for the run. */
  readonly close: () => Promise<void>;
}

/** A pod as a place that kubectl reaches. */
export function createKubernetesBackend(cluster: ClientProgram, input: KubernetesBackendInput): RemoteBackend {
  const leading = ["exec", "--stdin", `--container=${input.container}`, input.pod, "--", "sh", "-c"];
  let closed: Promise<void> | undefined;
  return {
    name: input.name,
    // Seen with containerd 1.6 behind kubectl's SPDY: one of some hundred short commands ended without its output.
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
