import {
  type BackgroundCommand,
  type BackgroundCommandLine,
  type BackgroundCommands,
  type BackgroundOutput,
  EngineError,
  type ExecutionEnvironment,
  type SpawnedProcess,
} from "@switchyard/contracts";
import { RunningCommand } from "./running-command.ts";

/** Most background commands of a session that run at the same time. */
const MAX_RUNNING = 16;
/** Most commands that have ended and whose last output waits for somebody to ask; the oldest are forgotten. */
const MAX_ENDED = 32;

/** What the commands of a session share. */
export interface BackgroundTableOptions {
  /** Where they run. */
  readonly environment: ExecutionEnvironment;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Ends them all when it fires. */
  readonly signal: AbortSignal;
  /** The conversation that they are a part of. */
  readonly conversation: { hasCall(id: string): boolean };
}

/** A command line as a process: through the environment's own shell, where it can do that. loop: §4.2. */
function spawnShell(
  environment: ExecutionEnvironment,
  { command, cwd }: BackgroundCommandLine,
  signal: AbortSignal,
): Promise<SpawnedProcess> {
  if (environment.spawnShell !== undefined) return environment.spawnShell(command, { cwd, signal });
  const argv = environment.platform === "windows" ? ["cmd.exe", "/d", "/s", "/c", command] : ["/bin/sh", "-c", command];
  return environment.spawn(argv, { cwd, signal });
}

/** The background commands of one session; none of them outlives `end`. */
export class BackgroundTable implements BackgroundCommands {
  readonly #options: BackgroundTableOptions;
  /** There are none before the first is started: most sessions never do. */
  #commands: Map<string, RunningCommand> | undefined;
  #starting = 0;

  /** Makes an empty table; nothing is started before somebody asks. */
  constructor(options: BackgroundTableOptions) {
    this.#options = options;
  }

  /** Whether anything has to be ended. */
  get isActive(): boolean {
    return this.#starting > 0 || this.list().some(({ isRunning }) => isRunning);
  }

  /** Starts a command line; rejects with `background.too_many` when too many are running, or with `environment.*` errors. */
  async start(id: string, line: BackgroundCommandLine): Promise<BackgroundCommand> {
    const { environment, now, signal } = this.#options;
    if (this.list().filter(({ isRunning }) => isRunning).length + this.#starting >= MAX_RUNNING) {
      throw new EngineError("background.too_many", { limit: MAX_RUNNING });
    }
    this.#forgetEnded();
    this.#starting += 1;
    try {
      const process = await spawnShell(environment, line, signal);
      const running = new RunningCommand(process, { id, command: line.command, now });
      this.#commands ??= new Map();
      this.#commands.set(id, running);
      // The signal fired while the process was being started: nobody else knows of it.
      if (signal.aborted) await running.end();
      return running.status;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Their output takes memory for as long as they are known. */
  #forgetEnded(): void {
    const ended = this.list().filter(({ isRunning }) => !isRunning);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#commands?.delete(id);
  }

  /** What is new of a command. */
  async poll(id: string, options: { waitMs: number; signal: AbortSignal }): Promise<BackgroundOutput | undefined> {
    return this.#commands?.get(id)?.poll(options.waitMs, options.signal);
  }

  /** Ends a command and gives what it printed at last. */
  async kill(id: string): Promise<BackgroundOutput | undefined> {
    const command = this.#commands?.get(id);
    await command?.end();
    return command?.poll(0);
  }

  /** Every command, oldest first. */
  list(): readonly BackgroundCommand[] {
    return Array.from(this.#commands?.values() ?? [], ({ status }) => status);
  }

  /** Whether a call with this id is a part of the conversation. */
  isOfConversation(id: string): boolean {
    return this.#options.conversation.hasCall(id);
  }

  /** Ends everything that runs; resolves when it is gone. loop: Appendix B, graceful shutdown steps 2 to 4. */
  async end(): Promise<void> {
    await Promise.all(Array.from(this.#commands?.values() ?? [], (command) => command.end()));
  }
}
