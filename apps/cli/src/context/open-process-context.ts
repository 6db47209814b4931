import { closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { isatty } from "node:tty";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";
import { createLineReader, createTextOutput, readKeys, type StopRequest, type TextInput } from "@switchyard/terminal";
import { decideExitCode, INTERRUPTED } from "../program/exit-code.ts";
import type { CommandContext, Wire } from "./command-context.ts";
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
  const stops = listenForSignals();
  const exit = openExit(() => stops.first);
  stops.onUnheard(() => exit(INTERRUPTED));
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
    stdin: openInput(),
    stdout: createTextOutput(process.stdout, process.env),
    stderr: createTextOutput(process.stderr, process.env),
    openWire,
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
    exit,
  };
}

/**
 * Returns the function that ends the process. At exit, Node restores terminal settings and crashes if a terminal no
 * longer exists. It skips closed descriptors, so the descriptors of such terminals are closed first.
 */
function openExit(signal: () => NodeJS.Signals | undefined): CommandContext["exit"] {
  const terminals = STANDARD_STREAMS.filter((descriptor) => isatty(descriptor));
  return (code) => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
    process.exit(decideExitCode({ exitCode: code, signal: signal() }));
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

function openWire(): Wire {
  return {
    readable: new ReadableStream<Uint8Array>({
      start(controller) {
        process.stdin.on("data", (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
        process.stdin.once("end", () => controller.close());
        process.stdin.once("error", (error) => controller.error(error));
      },
    }),
    writable: new WritableStream<Uint8Array>({
      write: (chunk) =>
        new Promise((resolve, reject) => {
          process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
    }),
  };
}

interface StopRequests {
  /** First signal that was received; `undefined` if there was none. */
  readonly first: NodeJS.Signals | undefined;
  readonly onStopRequest: CommandContext["onStopRequest"];
  /** Sets a function that is called for a signal if no command listens for requests to stop. */
  onUnheard(listener: () => void): void;
}

function listenForSignals(): StopRequests {
  const listeners = new Set<(request: StopRequest) => void>();
  let first: NodeJS.Signals | undefined;
  let unheard = (): void => {};
  const onSignal = (signal: NodeJS.Signals): void => {
    first ??= signal;
    if (listeners.size === 0) unheard();
    for (const listener of [...listeners]) listener(signal === "SIGINT" ? "user" : "shutdown");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return {
    get first() {
      return first;
    },
    onStopRequest: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onUnheard: (listener) => {
      unheard = listener;
    },
  };
}

function openInput(): TextInput {
  return {
    get isTerminal() {
      return process.stdin.isTTY === true;
    },
    async readAll() {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
        return decodeText(Buffer.concat(chunks), "standard input");
      } catch (error) {
        if (EngineError.is(error)) throw error;
        const details = { path: "standard input", problem: fileProblem(error) };
        throw new EngineError("input.unreadable", details, { cause: error });
      }
    },
    ...createLineReader(
      () => process.stdin,
      (signal) => process.emit(signal, signal),
    ),
    readKeys: (listener) =>
      readKeys(process.stdin, {
        interrupt: () => process.emit("SIGINT", "SIGINT"),
        suspend: () => process.kill(process.pid, "SIGTSTP"),
        onContinue: (onContinue) => {
          process.on("SIGCONT", onContinue);
          return () => process.removeListener("SIGCONT", onContinue);
        },
      })(listener),
  };
}
