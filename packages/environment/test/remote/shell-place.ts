import { EngineError } from "@switchyard/contracts";
import { createClientProgram } from "../../src/client/client-program.ts";
import type { RemotePlace } from "../../src/remote/remote-place.ts";

/** A place that is this machine: its client is the shell itself. */
export function createShellPlace(shell: readonly string[], env: Readonly<Record<string, string>>): RemotePlace {
  const [program = "sh", ...leading] = shell;
  const client = createClientProgram(program, env, [...leading, "-c"]);
  return {
    name: `shell:${shell.join(" ")}`,
    start: (script, options) => client.start([script], options?.signal),
    explain: ({ exitCode, stderr }) =>
      new EngineError("environment.unavailable", { environment: shell.join(" "), problem: `${exitCode} ${stderr}` }),
    close: async () => {},
  };
}
