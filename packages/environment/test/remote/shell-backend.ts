import { EngineError } from "@switchyard/contracts";
import { createClientProgram } from "../../src/client/client-program.ts";
import type { RemoteBackend } from "../../src/remote/remote-backend.ts";

/** A backend on this machine, whose client program is the shell itself. */
export function createShellBackend(shell: readonly string[], env: Readonly<Record<string, string>>): RemoteBackend {
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
