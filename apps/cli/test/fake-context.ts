import type { StopRequest, TextOutput } from "@switchyard/terminal";
import type { CommandContext } from "../src/context/command-context.ts";

/** Options of {@link createFakeContext}. */
export interface FakeContextOptions extends Partial<Omit<CommandContext, "stdin" | "stdout" | "stderr">> {
  /** Whether standard input, output and error are a terminal. Default: false. */
  isTerminal?: boolean;
  /** Lines that the user types. The input then ends. */
  typed?: readonly string[];
}

/** Command context without a process. */
export interface FakeContext {
  readonly context: CommandContext;
  /** Returns the text printed to standard output. */
  printed(): string;
  /** Returns the text printed to standard error. */
  told(): string;
  /** Requests the command to stop. */
  stop(request: StopRequest): void;
  /** Simulates an uncaught error. */
  crash(): void;
}

/** Thrown when the command ends the process. */
class Exited extends Error {}

function collect(isTerminal: boolean): { output: TextOutput; text: () => string } {
  let text = "";
  const output: TextOutput = {
    ...{ isTerminal, hasColour: false, columns: 80 },
    ...{ closed: new AbortController().signal, readerGone: new AbortController().signal },
    write: (more) => {
      text += more;
    },
    flushed: () => Promise.resolve(),
  };
  return { output, text: () => text };
}

/** Creates a command context without a process. */
export function createFakeContext({ isTerminal = false, typed = [], ...facts }: FakeContextOptions = {}): FakeContext {
  const stops = new Set<(request: StopRequest) => void>();
  const crashes: ((error: unknown) => void)[] = [];
  const lines = [...typed];
  const [stdout, stderr] = [collect(isTerminal), collect(isTerminal)];
  const context: CommandContext = {
    ...{ words: [], env: {}, workingDirectory: "/", homeDirectory: "/", temporaryDirectory: "/", assetDirectory: "/" },
    ...{ progress: { hasStarted: false }, stopSignal: undefined },
    ...{ version: "0", now: Date.now, importModule: () => Promise.reject(new Error("there is no module")) },
    stdin: {
      isTerminal,
      readAll: () => Promise.resolve(""),
      dropTyped: () => Promise.resolve(),
      readLine: async () => lines.shift(),
      readKeys: () => undefined,
    },
    ...{ stdout: stdout.output, stderr: stderr.output },
    openWire: () => ({ readable: new ReadableStream(), writable: new WritableStream() }),
    onStopRequest: (listener) => {
      stops.add(listener);
      return () => stops.delete(listener);
    },
    onCrash: (listener) => {
      crashes.push(listener);
      return () => crashes.pop();
    },
    exit: () => {
      throw new Exited();
    },
    ...facts,
  };
  return {
    context,
    printed: stdout.text,
    told: stderr.text,
    stop: (request) => {
      for (const stop of stops) stop(request);
    },
    crash: () => crashes.at(-1)?.(new Error("crash")),
  };
}
