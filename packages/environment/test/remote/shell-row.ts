import { runProgram } from "@switchyard/container-engines";
import { openRemoteEnvironment } from "../../src/remote/open-remote-environment.ts";
import type { CaseSample } from "../environments/case-sample.ts";
import type { EnvironmentRow } from "../environments/environment-row.ts";
import { makeLocalFolders } from "../environments/local-folders.ts";
import { createShellBackend } from "./shell-backend.ts";

/** Options of a row of remote shells. */
export interface ShellRowOptions {
  /** Whether searches may use ripgrep. */
  readonly ripgrep: boolean;
  /** Cases to run. Default: all. */
  readonly sample?: CaseSample | undefined;
}

/** A shell of this machine as a remote environment: tests the code shared by containers, pods and ssh. */
export function shellRow(name: string, shell: readonly string[], options: ShellRowOptions): EnvironmentRow {
  const { ripgrep, sample } = options;
  return {
    name: `an environment that runs commands with ${name}`,
    component: "this machine",
    isReal: true,
    sample,
    async start() {
      const { code } = await runProgram(["sh", "-c", `command -v ${shell[0]}`]);
      if (code !== 0) return `${shell[0]} is not installed`;
      return {
        factory: async ({ variables }) => {
          const { folder, root, subject } = await makeLocalFolders();
          const env = { PATH: process.env["PATH"] ?? "/bin", HOME: folder, ...variables };
          const backend = createShellBackend(shell, env);
          return { environment: await openRemoteEnvironment(backend, { workingDirectory: root, ripgrep }), ...subject };
        },
      };
    },
  };
}
