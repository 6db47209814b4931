import { closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { isatty } from "node:tty";
import { EngineError } from "@switchyard/contracts";
import { openStdioWire } from "@switchyard/protocol-server/acp";
import { createStopRequests, createTextInput, createTextOutput } from "@switchyard/terminal";
import { decideExitCode, INTERRUPTED } from "../program/exit-code.ts";
import type { CommandContext } from "./command-context.ts";
import { findHomeFolder } from "./home-folder.ts";

const STANDARD_STREAMS = [0, 1, 2] as const;

/** Data about the program that its entry point provides. */
export interface ProgramFacts {
  /** Version of this program. */
  version: string;
  /** Folder with data files that are shipped with the program, such as templates. */
  assetDirectory: string;
  /** Imports a module by its absolute path, which runs the module's code. */
  importModule: CommandContext["importModule"];
}

/** Creates the context of the running process. From then on, the context handles the process's signals. */
export function openProcessContext(facts: ProgramFacts): CommandContext {
  const stops = createStopRequests(process, (signal) => exit(INTERRUPTED, signal));
  const exit = openExit();
  return {
    ...facts,
    words: process.argv.slice(2),
    env: process.env,
    get workingDirectory() {
      return currentFolder();
    },
    get homeDirectory() {
      return findHomeFolder();
    },
    temporaryDirectory: tmpdir(),
    stdin: createTextInput(process),
    stdout: createTextOutput(process.stdout, process.env),
    stderr: createTextOutput(process.stderr, process.env),
    openWire: () => openStdioWire(process),
    now: () => Date.now(),
    progress: { hasStarted: false },
    get stopSignal() {
      return stops.first;
    },
    onStopRequest: stops.onStopRequest,
    onCrash: (listener) => {
      process.prependListener("uncaughtException", listener);
      return () => process.removeListener("uncaughtException", listener);
    },
    exit: (code) => exit(code, stops.first),
  };
}

/**
 * Returns the function that ends the process. At exit, Node restores terminal settings, and crashes if a terminal no
 * longer exists. Node skips closed descriptors, so the function first closes the descriptors of terminals that no
 * longer exist.
 */
function openExit(): (code: number, signal: NodeJS.Signals | undefined) => never {
  const terminals = STANDARD_STREAMS.filter((descriptor) => isatty(descriptor));
  return (exitCode, signal) => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
    process.exit(decideExitCode({ exitCode, signal }));
  };
}

/**
 * Returns the current folder. Called only when the folder is needed, so that other commands work even if the folder was
 * deleted. Throws `workspace.not_found`.
 */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new EngineError("workspace.not_found", { path: process.env["PWD"] ?? "." }, { cause });
  }
}
