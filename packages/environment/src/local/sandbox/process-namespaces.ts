import { createClientProgram } from "../../client/client-program.ts";
import { findProgram } from "../../client/find-program.ts";
import type { HostVariables } from "../../variables/select-variables.ts";
import type { Containment } from "../process/containment.ts";
import type { ProcessTimes } from "../process/local-process.ts";
import { renderNamespaceCommand } from "./bubblewrap-arguments.ts";
import { assertCommandExists } from "./find-command.ts";

const PROBE_MS = 10_000;
/** Mounts the whole file system unchanged, and a new `/proc` for the process namespace. */
const MOUNTS = ["--dev-bind", "/", "/", "--proc", "/proc"] as const;

/**
 * Returns a containment that runs each command in a new process (PID) namespace, optionally with additional mounts.
 * Resolves with `undefined` if this machine does not support process namespaces.
 */
export async function openProcessNamespaces(
  host: HostVariables,
  { drainMs }: ProcessTimes,
  onTop: readonly string[] = [],
): Promise<Containment | undefined> {
  const program = process.platform === "linux" ? await findProgram("bwrap", host) : undefined;
  if (program === undefined) return undefined;
  const render = (folder: string, argv: readonly string[]): string[] =>
    renderNamespaceCommand({ program, namespaces: [], mounts: [...MOUNTS, ...onTop], folder, argv, drainMs });
  const [, ...probe] = render("/", ["/bin/sh", "-c", ":"]);
  const { exitCode } = await createClientProgram(program, host).run(probe, { timeoutMs: PROBE_MS });
  if (exitCode !== 0) return undefined;
  return {
    async enter({ input, folder }) {
      const path = input.variables["PATH"] ?? "";
      assertCommandExists(input.argv, { folder, path, toHostPath: (program) => program });
      return { input: { ...input, namespaced: true, argv: render(folder, input.argv) }, release: async () => {} };
    },
  };
}
