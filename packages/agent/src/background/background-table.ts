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

/** Maximum number of concurrent background commands in a session. */
const MAX_RUNNING = 16;
/** Maximum number of ended commands whose unread output stays available. The output of the oldest is dropped first. */
const MAX_ENDED = 32;

/** Options for `BackgroundTable`. */
export interface BackgroundTableOptions {
  /** Environment in which the commands run. */
  readonly environment: ExecutionEnvironment;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
  /** Signal that ends all commands when aborted. */
  readonly signal: AbortSignal;
  /** Conversation that contains the tool calls which start the background commands. */
  readonly conversation: { hasCall(id: string): boolean };
}

/** Starts a command line, with the environment's own shell if it has one. See loop: §4.2. */
function spawnShell(
  environment: ExecutionEnvironment,
  { command, cwd }: BackgroundCommandLine,
  signal: AbortSignal,
): Promise<SpawnedProcess> {
  if (environment.spawnShell !== undefined) return environment.spawnShell(command, { cwd, signal });
  const argv = environment.platform === "windows" ? ["cmd.exe", "/d", "/s", "/c", command] : ["/bin/sh", "-c", command];
  return environment.spawn(argv, { cwd, signal });
}

/** Background commands of a session. `end` ends all of them. */
export class BackgroundTable implements BackgroundCommands {
  readonly #options: BackgroundTableOptions;
  /** Created for the first command, because most sessions start no background commands. */
  #commands: Map<string, RunningCommand> | undefined;
  #starting = 0;

  /** Creates an empty table. */
  constructor(options: BackgroundTableOptions) {
    this.#options = options;
  }

  /** True if any command is running or starting. */
  get isActive(): boolean {
    return this.#starting > 0 || this.list().some(({ isRunning }) => isRunning);
  }

  /** Starts a command line. Rejects with `background.too_many` if too many are running, or with `environment.*`. */
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
      // If the signal aborted while the process was starting, the new process was not among those that were ended then.
      if (signal.aborted) await running.end();
      return running.status;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Drops ended commands, whose output takes memory. */
  #forgetEnded(): void {
    const ended = this.list().filter(({ isRunning }) => !isRunning);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#commands?.delete(id);
  }

  /** Resolves with the unread output and the state of a command. `undefined` if the id is unknown. */
  async poll(id: string, options: { waitMs: number; signal: AbortSignal }): Promise<BackgroundOutput | undefined> {
    return this.#commands?.get(id)?.poll(options.waitMs, options.signal);
  }

  /** Ends a command and resolves with its last output. `undefined` if the id is unknown. */
  async kill(id: string): Promise<BackgroundOutput | undefined> {
    const command = this.#commands?.get(id);
    await command?.end();
    return command?.poll(0);
  }

  /** Returns all commands, oldest first. */
  list(): readonly BackgroundCommand[] {
    return Array.from(this.#commands?.values() ?? [], ({ status }) => status);
  }

  /** Returns whether any tool call of the conversation has this id. */
  isOfConversation(id: string): boolean {
    return this.#options.conversation.hasCall(id);
  }

  /** Ends all running commands. Resolves when they are gone. See loop: Appendix B, graceful shutdown steps 2 to 4. */
  async end(): Promise<void> {
    await Promise.all(Array.from(this.#commands?.values() ?? [], (command) => command.end()));
  }
}
