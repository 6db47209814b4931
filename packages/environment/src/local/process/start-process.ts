import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { RunningChild } from "./running-child.ts";
import type { SpawnHelper } from "./spawn-helper/spawn-helper.ts";
import type { StartInput } from "./start-input.ts";

/**
 * Starts a program, through a helper process if one is given. Throws `environment.command_not_found` if there is no
 * such program, and `environment.spawn_failed` for any other reason.
 */
export async function startProcess(input: StartInput, helper?: SpawnHelper): Promise<RunningChild> {
  // Checked at run time: if `argv` were a string, its first character would be run as a program.
  if (!Array.isArray(input.argv))
    throw new TypeError("exec and spawn take a list: the program and its arguments; shell takes a line.");
  const [command = ""] = input.argv;
  if (command === "")
    throw new EngineError("environment.spawn_failed", { command: "(empty)", problem: "no program is named" });
  const started = await helper?.start(input);
  if (started?.kind === "started") return started.child;
  if (started?.kind === "failed") throw toStartError(withCode(started.code), input);
  // The connection to the helper process was lost. The command may be running, so it is not started again.
  if (started?.kind === "lost" && !started.isSafe) throw toStartError(withCode("EHELPER"), input);
  return startDirectly(input);
}

async function startDirectly(input: StartInput): Promise<RunningChild> {
  const [command = "", ...args] = input.argv;
  const child = trySpawn(command, args, input);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(toStartError(error, input)));
  });
  // An `error` event after the start, such as for a failed signal, is ignored: `exit` reports how the process ended.
  child.on("error", () => {});
  const { output } = input;
  const { pid, stdin } = child;
  const stdout = output === undefined ? child.stdout : endedStream();
  const stderr = output === undefined ? child.stderr : endedStream();
  if (pid === undefined || stdout === null || stderr === null) {
    throw new EngineError("environment.spawn_failed", { command, problem: "it has no streams" });
  }
  return { child, pid, stdin: stdin ?? undefined, stdout, stderr, namespaced: input.namespaced };
}

/** Returns an ended stream, for a standard stream that is not a pipe. */
function endedStream(): Readable {
  const stream = new Readable({ read: () => {} });
  stream.push(null);
  return stream;
}

function trySpawn(command: string, args: string[], input: StartInput): ChildProcess {
  const { cwd, variables, stdin, output, verbatim } = input;
  try {
    return spawn(command, args, {
      cwd,
      env: { ...variables },
      detached: process.platform !== "win32",
      // Standard input is always set. Node's default is a socket, with which bash assumes that rshd started it.
      stdio: [stdin, output?.stdout ?? "pipe", output?.stderr ?? "pipe"],
      windowsHide: true,
      windowsVerbatimArguments: verbatim ?? false,
    });
  } catch (error) {
    throw toStartError(error, input);
  }
}

function withCode(code: string | undefined): Error {
  return Object.assign(new Error(`The helper could not start it: ${code}.`), { code });
}

function toStartError(error: unknown, { argv, variables }: StartInput): EngineError {
  const [command = ""] = argv;
  const code = systemCodeOf(error);
  // EACCES does not always mean that the program was found: a PATH folder may be unreadable for this user.
  if (code === "ENOENT" || (code === "EACCES" && !isOnPath(command, variables["PATH"]))) {
    return new EngineError("environment.command_not_found", { command }, { cause: error });
  }
  // The original error message is not used: it repeats the arguments, which may contain secrets.
  const problem = describeStartProblem(code);
  return new EngineError("environment.spawn_failed", { command: command.slice(0, 200), problem }, { cause: error });
}

/** Returns whether a program of this name exists in a folder of the PATH. Returns true for a name that is a path. */
function isOnPath(command: string, path: string | undefined): boolean {
  if (command.includes("/")) return true;
  return (path ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, command)));
}

function describeStartProblem(code: string | undefined): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "it may not be executed";
    case "E2BIG":
      return "its arguments and variables are too long";
    case "EAGAIN":
    case "ENOMEM":
      return "the system cannot create another process";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    case "ENOEXEC":
      return "it is not a program for this machine";
    case "EHELPER":
      return "the process that starts commands has ended; try again";
    case "ERR_INVALID_ARG_VALUE":
      return "an argument or a variable contains a NUL character";
    default:
      return code ?? "for an unknown reason";
  }
}
