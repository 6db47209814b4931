import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";

/** Working folder, PATH and path conversion for looking up a command's program. */
export interface CommandContext {
  /** Working folder of the program. */
  readonly folder: string;
  /** Value of PATH for the program. */
  readonly path: string;
  /**
   * Converts a path inside the sandbox to the path of the same file outside. `undefined` if the path is not visible
   * inside.
   */
  toHostPath(path: string): string | undefined;
}

/**
 * Checks before the start that a command's program exists. Inside a sandbox, only the shell would notice a missing
 * program, and its message would look like output of the command. Throws `environment.command_not_found` and
 * `environment.spawn_failed`.
 */
export function assertCommandExists(argv: readonly string[], context: CommandContext): void {
  // Checked at run time: if `argv` were a string, its first character would be run as a program.
  if (!Array.isArray(argv))
    throw new TypeError("exec and spawn take a list: the program and its arguments; shell takes a line.");
  const [command = ""] = argv;
  const refuse = (problem: string): never => {
    throw new EngineError("environment.spawn_failed", { command: command.slice(0, 200) || "(empty)", problem });
  };
  if (command === "") refuse("no program is named");
  if (argv.some((argument) => argument.includes("\0"))) refuse("an argument or a variable contains a NUL character");
  const candidates = command.includes("/")
    ? [resolve(context.folder, command)]
    : context.path
        .split(":")
        .map((folder) => join(isAbsolute(folder) ? folder : join(context.folder, folder), command));
  const found = candidates.map((path) => lookFor(path, context.toHostPath(path)));
  if (found.includes("program")) return;
  if (found.includes("forbidden")) refuse("it may not be executed");
  throw new EngineError("environment.command_not_found", { command: command.slice(0, 200) });
}

function lookFor(path: string, hostPath: string | undefined): "program" | "forbidden" | "missing" {
  if (hostPath === undefined) return "missing";
  if (hostPath === path) return look(path);
  // If the path is a symbolic link, it may have another target inside the sandbox, so the target is not checked.
  return lstatSync(hostPath, { throwIfNoEntry: false }) === undefined ? "missing" : "program";
}

function look(path: string): "program" | "forbidden" | "missing" {
  try {
    if (!statSync(path).isFile()) return "forbidden";
  } catch {
    return "missing";
  }
  try {
    accessSync(path, constants.X_OK);
    return "program";
  } catch {
    return "forbidden";
  }
}
