import { EngineError } from "@switchyard/contracts";
import type { Bash, CommandName } from "just-bash";
import { exactPrintf } from "./exact-printf.ts";
import { routeOutput } from "./route-output.ts";
import type { ShellFileSystem } from "./shell-file-system.ts";
import type { ShellLimits } from "./shell-limits.ts";

/** Commands that are excluded from the emulated shell because they would start threads in the host process. */
const HOST_COMMANDS: ReadonlySet<string> = new Set(["sqlite3", "python3", "python", "js-exec"]);

const DEFAULT_COMMANDS = 1_000_000;
const DEFAULT_ITERATIONS = 1_000_000;
const DEFAULT_TIME_MS = 600_000;

/**
 * Loads the emulated shell for files in memory, without access to network, host files or threads. Throws
 * `environment.unavailable` if just-bash is not installed.
 */
export async function loadShell(files: ShellFileSystem, limits: ShellLimits): Promise<Bash> {
  const { Bash: Shell, getCommandNames } = await importShell();
  const shell = new Shell({
    fs: files,
    cwd: "/",
    env: {},
    commands: getCommandNames().filter(isWithinMemory),
    customCommands: [exactPrintf],
    executionLimits: {
      maxCommandCount: limits.maxCommands ?? DEFAULT_COMMANDS,
      maxLoopIterations: limits.maxLoopIterations ?? DEFAULT_ITERATIONS,
      maxExecutionTimeMs: limits.maxTimeMs ?? DEFAULT_TIME_MS,
    },
    // Disabled, because this option of just-bash changes globals of the host process while commands run.
    defenseInDepth: false,
  });
  shell.registerTransformPlugin({ name: "route-output", transform: ({ ast }) => ({ ast: routeOutput(ast) }) });
  return shell;
}

function isWithinMemory(name: string): name is CommandName {
  return !HOST_COMMANDS.has(name);
}

async function importShell(): Promise<typeof import("just-bash")> {
  try {
    return await import("just-bash");
  } catch (error) {
    const problem = "its shell needs the package just-bash, which is not installed: npm install just-bash";
    throw new EngineError("environment.unavailable", { environment: "memory", problem }, { cause: error });
  }
}
