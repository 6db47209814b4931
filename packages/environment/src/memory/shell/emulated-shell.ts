import type { Bash, BashExecResult } from "just-bash";
import { encodeContent, toLatin1 } from "./encode-content.ts";
import { loadShell } from "./load-shell.ts";
import { markForRouting, outputPathsOf } from "./route-output.ts";
import type { ShellFileSystem, ShellSink } from "./shell-file-system.ts";
import type { ShellLimits } from "./shell-limits.ts";

/** How a command line ended: its exit code and signal. */
export interface ShellExit {
  readonly exitCode: number;
  readonly signal?: string | undefined;
}

/** Exit codes of command lines that were ended by a signal. */
export const SIGNAL_EXITS = { SIGINT: 130, SIGKILL: 137, SIGTERM: 143 } as const;

/** Name of a signal that ends a command line. */
export type ShellSignal = keyof typeof SIGNAL_EXITS;

/** A command line, its standard input, and receivers for its output. */
export interface ShellProgram {
  readonly script: string;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly stdout: ShellSink;
  readonly stderr: ShellSink;
  /**
   * Called repeatedly while the command line runs, also when the shell is too busy for timers to fire. Returns true to
   * end the command line.
   */
  readonly isOver?: (() => boolean) | undefined;
}

/** A running command line. */
export interface RunningShell {
  /** Resolves with the exit of the command line; never rejects. */
  readonly exited: Promise<ShellExit>;
  /** Ends the command line and discards output that it writes later. */
  end(signal?: ShellSignal): void;
}

/** Runs command lines in an emulated shell, without processes, on files in memory. */
export class EmulatedShell {
  readonly #files: ShellFileSystem;
  readonly #limits: ShellLimits;
  readonly #running = new Set<RunningShell>();
  #bash: Promise<Bash> | undefined;
  #count = 0;

  constructor(files: ShellFileSystem, limits: ShellLimits) {
    this.#files = files;
    this.#limits = limits;
  }

  /** Loads the shell. Rejects with `environment.unavailable` if it is not installed. */
  load(): Promise<Bash> {
    this.#bash ??= loadShell(this.#files, this.#limits);
    return this.#bash;
  }

  /** Starts a command line. Rejects with `environment.unavailable` if the shell is not installed. */
  async start(program: ShellProgram): Promise<RunningShell> {
    const bash = await this.load();
    const controller = new AbortController();
    let endedBy: ShellSignal | undefined;
    const end = (signal: ShellSignal = "SIGTERM"): void => {
      endedBy ??= signal;
      controller.abort();
    };
    const result = this.#run(
      bash,
      program,
      watchSignal(controller, () => program.isOver?.() === true && end()),
    );
    const exited = result.then((exitCode) =>
      endedBy === undefined ? { exitCode } : { exitCode: SIGNAL_EXITS[endedBy], signal: endedBy },
    );
    const running = { exited, end };
    this.#running.add(running);
    void exited.then(() => this.#running.delete(running));
    return running;
  }

  /** Ends all running command lines. */
  async close(): Promise<void> {
    const running = [...this.#running];
    for (const one of running) one.end("SIGKILL");
    await Promise.all(running.map(({ exited }) => exited));
  }

  async #run(bash: Bash, program: ShellProgram, signal: AbortSignal): Promise<number> {
    this.#count += 1;
    const run = this.#count;
    const stream = (name: "stdout" | "stderr") => {
      const write: ShellSink = (bytes) => (signal.aborted || bytes.length === 0 ? undefined : program[name](bytes));
      return { write, remove: this.#files.addSink(outputPathsOf(run)[name], write) };
    };
    const [stdout, stderr] = [stream("stdout"), stream("stderr")];
    try {
      const script = markForRouting(program.script, run, program.variables);
      const result = await bash.exec(script, {
        cwd: program.cwd,
        env: { ...program.variables },
        replaceEnv: true,
        rawScript: true,
        stdin: toLatin1(program.stdin),
        stdinKind: "bytes",
        signal,
      });
      await stdout.write(stdoutOf(result));
      await stderr.write(encodeContent(withUserLineNumbers(result.stderr), "utf8"));
      return result.exitCode;
    } catch (error) {
      await stderr.write(encodeContent(`${error instanceof Error ? error.message : String(error)}\n`, "utf8"));
      return 1;
    } finally {
      stdout.remove();
      stderr.remove();
    }
  }
}

/**
 * Returns the part of the standard output that the shell returns only after the command line has ended. Other output was
 * passed on while the command line ran.
 */
function stdoutOf({ stdout, stdoutKind }: BashExecResult): Uint8Array {
  return encodeContent(stdout, stdoutKind === "bytes" ? "latin1" : "utf8");
}

/** Corrects the line number in a syntax error of the shell, because one line was inserted before the user's script. */
function withUserLineNumbers(problem: string): string {
  return problem.replace(/(?<=Parse error at )\d+(?=:)/, (line) => String(Math.max(1, Number(line) - 1)));
}

/**
 * Creates an abort signal whose `aborted` property checks for cancellation each time it is read. While the shell runs
 * commands one after another, no timer fires, but the shell reads this property before each command.
 */
function watchSignal({ signal }: AbortController, onRequested: () => void): AbortSignal {
  return new Proxy(signal, {
    get(target, key) {
      if (key === "aborted" && !target.aborted) onRequested();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
