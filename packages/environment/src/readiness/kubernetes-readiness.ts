import { clientErrorLine } from "../client/client-error-line.ts";
import { createClientProgram } from "../client/client-program.ts";
import { findProgram } from "../client/find-program.ts";
import { parseJson, textAt } from "../client/read-json.ts";
import type { MissingPart } from "../local/sandbox/sandbox-readiness.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { ReadinessFindings } from "./readiness-findings.ts";

const TIMEOUT_MS = 15_000;

const CLIENT: MissingPart = {
  program: "kubectl",
  problem: "There is no `kubectl` on the PATH",
  install: [
    { system: "Debian", command: "sudo apt-get install kubernetes-client" },
    { system: "Ubuntu", command: "sudo snap install kubectl --classic" },
    { system: "Fedora", command: "sudo dnf install kubernetes-client" },
    { system: "macOS", command: "brew install kubectl" },
  ],
};

const CONTEXT = { system: "every system", command: "kubectl config use-context NAME" } as const;

/** Checks whether kubectl is installed and has a context, and whether the cluster responds. */
export async function findKubernetesParts(host: HostVariables): Promise<ReadinessFindings> {
  const path = await findProgram("kubectl", host);
  if (path === undefined) return { found: [], missing: [CLIENT] };
  const kubectl = createClientProgram(path, host);
  const limits = { timeoutMs: TIMEOUT_MS };
  const [context, version] = await Promise.all([
    kubectl.run(["config", "current-context"], limits),
    kubectl.run(["version", "--output", "json", "--request-timeout=10s"], limits),
  ]);
  const name = context.exitCode === 0 ? context.stdout.trim() : "";
  const found = [path, ...(name === "" ? [] : [`context ${name}`])];
  const server = textAt(parseJson(version.stdout), "serverVersion", "gitVersion");
  if (server !== "") return { found: [...found, `cluster ${server}`], missing: [] };
  const message = version.timedOut ? "it did not answer in time" : clientErrorLine(version.stderr);
  const problem =
    name === "" ? "No context is selected, so kubectl has no cluster" : `The cluster does not answer (${message})`;
  return { found, missing: [{ program: "cluster", problem, install: name === "" ? [CONTEXT] : [] }] };
}
