import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Wire } from "@switchyard/protocol-server/acp";
import type { TextInput, TextOutput } from "@switchyard/terminal";
import type { CommandContext } from "../src/context/command-context.ts";

const DIST = resolve(import.meta.dirname, "../dist");

/** A command line and what its process would get. */
export interface Command {
  readonly words: readonly string[];
  /** All environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  /** Standard input. */
  readonly input: string;
}

/** Exit code and output of a command. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Program {
  runCommandLine(context: CommandContext): Promise<number>;
}

/**
 * Runs a command of the built program in the process of the tests. Most of the time of a short command is needed to
 * start Node and to load the program.
 */
export async function runInProcess(command: Command): Promise<CommandResult> {
  const program: unknown = createRequire(import.meta.url)(join(DIST, "main.cjs"));
  if (!isProgram(program)) throw new TypeError("dist/main.cjs is not the program");
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const exitCode = await program.runCommandLine(createContext(command, stdout, stderr));
  return { exitCode, stdout: joinOutput(stdout), stderr: joinOutput(stderr) };
}

function isProgram(program: unknown): program is Program {
  return typeof program === "object" && program !== null && "runCommandLine" in program;
}

/** Joins the parts of an output, without the line break at its end. */
function joinOutput(parts: readonly string[]): string {
  return parts.join("").replace(/\r?\n$/, "");
}

function createContext({ words, env, cwd, input }: Command, stdout: string[], stderr: string[]): CommandContext {
  const home = env["HOME"] ?? "";
  return {
    words,
    env,
    workingDirectory: cwd,
    homeDirectory: isAbsolute(home) ? home : undefined,
    temporaryDirectory: env["TMPDIR"] ?? tmpdir(),
    assetDirectory: DIST,
    importModule: async (path) => {
      throw new Error(`Only a process of its own loads ${path}: use switchyardProcess`);
    },
    version: "0.0.0",
    progress: { hasStarted: false },
    stdin: createInput(input),
    stdout: createOutput(stdout),
    stderr: createOutput(stderr),
    openWire: () => openWire(input, stdout),
    now: () => Date.now(),
    onStopRequest: () => () => {},
    onCrash: () => () => {},
    stopSignal: undefined,
    exit: (code) => {
      throw new Error(`The command would end its process with exit code ${code}`);
    },
  };
}

function createInput(text: string): TextInput {
  const lines = text.split("\n");
  return {
    isTerminal: false,
    readAll: async () => text,
    dropTyped: async () => {},
    readLine: async () => lines.shift(),
    readKeys: () => undefined,
  };
}

function createOutput(parts: string[]): TextOutput {
  const neverAborts = new AbortController().signal;
  return {
    isTerminal: false,
    hasColour: false,
    columns: 80,
    closed: neverAborts,
    readerGone: neverAborts,
    write: (text) => void parts.push(text),
    flushed: async () => {},
  };
}

function openWire(input: string, stdout: string[]): Wire {
  const decoder = new TextDecoder();
  return {
    readable: new Blob([input]).stream(),
    writable: new WritableStream({ write: (chunk) => void stdout.push(decoder.decode(chunk, { stream: true })) }),
  };
}
