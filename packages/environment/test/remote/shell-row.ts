import { openRemoteEnvironment } from "../../src/remote/open-remote-environment.ts";
import { runProgram } from "../engine/run-program.ts";
import type { EnvironmentRow } from "../environments/environment-row.ts";
import { makeLocalPlace } from "../environments/local-folders.ts";
import { createShellPlace } from "./shell-backend.ts";

/** A shell of this machine as a place: what containers, pods and other machines have in common, without any of them. */
export function shellRow(name: string, shell: readonly string[], ripgrep: boolean): EnvironmentRow {
  return {
    name: `a place reached through ${name}`,
    component: "this machine",
    isReal: true,
    async start() {
      const { code } = await runProgram(["sh", "-c", `command -v ${shell[0]}`]);
      if (code !== 0) return `there is no ${shell[0]} on this machine`;
      return {
        factory: async ({ variables }) => {
          const { folder, root, around } = await makeLocalPlace();
          const env = { PATH: process.env["PATH"] ?? "/bin", HOME: folder, ...variables };
          const place = createShellPlace(shell, env);
          return { environment: await openRemoteEnvironment(place, { workingDirectory: root, ripgrep }), ...around };
        },
      };
    },
  };
}
