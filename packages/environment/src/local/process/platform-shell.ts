import { accessSync, constants } from "node:fs";

/** How a command line becomes a process. */
interface ShellCommand {
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly verbatim: boolean;
  readonly isCommandLine: true;
}

/** The platform's shell for one command line. */
export type PlatformShell = (command: string) => ShellCommand;

/** `/bin/bash`, `/bin/sh` where there is none, `cmd.exe` on Windows; or the shell of that path. loop: §4.2. */
export function findPlatformShell(chosen: string | undefined): PlatformShell {
  if (process.platform === "win32") {
    const program = chosen ?? "cmd.exe";
    return (command) => ({ argv: [program, "/d", "/s", "/c", `"${command}"`], verbatim: true, isCommandLine: true });
  }
  const program = chosen ?? ["/bin/bash"].find(isExecutable) ?? "/bin/sh";
  // Not even where bash takes its input for a remote shell's.
  const flags = program.endsWith("/bash") ? ["--norc", "--noprofile"] : [];
  return (command) => ({ argv: [program, ...flags, "-c", asOperand(command)], verbatim: false, isCommandLine: true });
}

/** A line that begins like an option would be taken for one, and what follows it for the line. */
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
