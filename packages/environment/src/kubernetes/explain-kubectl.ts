import { EngineError } from "@switchyard/contracts";
import { clientErrorLine } from "../client/client-error-line.ts";
import { NO_SHELL } from "../client/keep-alive.ts";
import type { ClientFailure } from "../remote/remote-backend.ts";

/** Patterns of error messages of kubectl, each with an explanation for the user. The first matching pattern is used. */
const MEANINGS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [
    /no configuration has been provided|invalid configuration|context .* does not exist|context was not found|error loading config|stat .*no such file|current-context must exist/i,
    "kubectl has no configuration that it can use; check `kubeconfig` and `context`.",
  ],
  [
    /unauthorized|must be logged in|provide credentials|getting credentials|token .*expired/i,
    "the cluster does not know who you are; log in to it again.",
  ],
  [/exceeded quota/i, "the namespace's quota is used up; ask for less, or free some of it."],
  [
    /forbidden/i,
    "you may not do this in the namespace; ask for the rights to create, get, list and delete pods and to create pods/exec.",
  ],
  [/executable file not found|exec failed.*no such file|OCI runtime exec failed/is, NO_SHELL],
  [
    /container .*(?:not found|is not valid for pod)|container not found/i,
    "the pod has no such container that runs; check `container`.",
  ],
  [/namespaces? .*not found/i, "the namespace does not exist; check `namespace`."],
  [/pods? .*not found|\(NotFound\)/i, "the pod does not exist; check its name and namespace, or create it."],
  [
    /connection to the server .* was refused|unable to connect to the server|no such host|i\/o timeout|TLS handshake|x509|connection refused|no route to host/i,
    "the cluster does not answer; check that it runs, the network, and the server of the kubeconfig.",
  ],
  [
    /websocket: close|unexpected EOF|connection reset|lost connection|error dialing backend|use of closed network connection|stream error|broken pipe/i,
    "the connection to the pod was lost; open the environment again.",
  ],
];

/** Converts a failure of kubectl to `environment.unavailable`, with the problem and a remedy. */
export function explainKubectl(environment: string, failure: ClientFailure): EngineError {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(failure.stderr))?.[1];
  const message = clientErrorLine(failure.stderr);
  const problem = message === "" ? `exit code ${failure.exitCode}` : message;
  return new EngineError("environment.unavailable", {
    environment,
    problem: meaning === undefined ? `kubectl failed: ${problem}` : `${meaning} (${problem})`,
  });
}
