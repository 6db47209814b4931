import { clientErrorLine } from "../client/client-error-line.ts";
import { detectFlavour, findContainerEngine } from "../docker/container-engine.ts";
import type { MissingPart } from "../local/sandbox/sandbox-readiness.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { ReadinessFindings } from "./readiness-findings.ts";

const TIMEOUT_MS = 15_000;

const CLIENT: MissingPart = {
  program: "docker",
  problem: "There is no `docker` or `podman` on the PATH",
  install: [
    { system: "Debian and Ubuntu", command: "sudo apt-get install podman" },
    { system: "Fedora", command: "sudo dnf install podman" },
    { system: "macOS", command: "brew install --cask docker" },
    { system: "Windows", command: "winget install Docker.DockerDesktop" },
  ],
};

/** Checks whether the client of a container engine is installed, and whether the engine responds. */
export async function findDockerParts(host: HostVariables): Promise<ReadinessFindings> {
  const engine = await findContainerEngine({ hostEnv: host }).catch(() => undefined);
  if (engine === undefined) return { found: [], missing: [CLIENT] };
  const flavour = await detectFlavour(engine);
  const [args, name] =
    flavour === "podman"
      ? [["info", "--format", "{{.Version.Version}}"], "Podman"]
      : [["version", "--format", "{{.Server.Version}}"], "Docker"];
  const { exitCode, stdout, stderr, timedOut } = await engine.run(args, { timeoutMs: TIMEOUT_MS });
  const version = stdout.trim();
  if (exitCode === 0 && version !== "") return { found: [`${name} ${version}`, engine.path], missing: [] };
  const problem = timedOut ? "it did not answer in time" : clientErrorLine(stderr);
  const start = flavour === "podman" ? [] : [{ system: "Linux", command: "sudo systemctl start docker" }];
  const missing = {
    program: "engine",
    problem: `\`${engine.path}\` cannot connect to an engine (${problem})`,
    install: start,
  };
  return { found: [engine.path], missing: [missing] };
}
