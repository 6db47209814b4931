import { accessSync, constants } from "node:fs";

/** A command line as a process to start. */
interface ShellCommand {
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Windows: true if the arguments are already quoted. */
  readonly verbatim: boolean;
  readonly isCommandLine: true;
}

/** Function that returns the program and arguments with which a shell runs a command line. */
export type PlatformShell = (command: string) => ShellCommand;

/**
 * Returns the given shell. Default: `/bin/bash` if it exists at the first command, otherwise `/bin/sh`; `cmd.exe` on
 * Windows. See loop: §4.2.
 */
export function findPlatformShell(chosen: string | undefined): PlatformShell {
  if (process.platform === "win32") {
    const program = chosen ?? "cmd.exe";
    return (command) => ({ argv: [program, "/d", "/s", "/c", `"${command}"`], verbatim: true, isCommandLine: true });
  }
  let program = chosen;
  return (command) => {
    // Many environments never run a command, so the file system is not read before.
    program ??= ["/bin/bash"].find(isExecutable) ?? "/bin/sh";
    // Prevents bash from reading startup files even if it assumes that rshd started it.
    const flags = program.endsWith("/bash") ? ["--norc", "--noprofile"] : [];
    return { argv: [program, ...flags, "-c", asOperand(command)], verbatim: false, isCommandLine: true };
  };
}

/** Prevents a shell from parsing a command line that starts with `-` or `+` as an option. */
function asOperand(command: string): string {
  return /^[-+]/.test(command) ? ` ${command}` : command;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
