import type {
  EnvironmentVariables,
  ExecOptions,
  ExecResult,
  SpawnedProcess,
  SpawnOptions,
} from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { mergeVariableRules, selectVariables } from "../../variables/select-variables.ts";
import type { MemoryWorkspace } from "../memory-workspace.ts";
import type { EmulatedShell } from "./emulated-shell.ts";
import { quoteArgument } from "./quote-argument.ts";
import type { ShellCommand } from "./run-in-shell.ts";
import { runInShell } from "./run-in-shell.ts";
import { SpawnedShell } from "./spawned-shell.ts";

/** Environment variables that every command in the emulated shell sees. */
const SHELL_VARIABLES = {
  PATH: "/usr/bin:/bin",
  HOME: "/home/user",
  USER: "user",
  LANG: "C.UTF-8",
  TMPDIR: "/tmp",
} as const;
/** Folders that contain programs. */
const PROGRAM_FOLDERS = ["/bin", "/usr/bin"] as const;
/** Commands that the emulated shell provides only as builtins, not as program files. */
const SHELL_PROGRAMS: ReadonlySet<string> = new Set(["[", "kill", "test"]);

/** Objects that the execution of commands in the emulated shell needs. */
export interface MemoryCommandsOptions {
  readonly shell: EmulatedShell;
  readonly workspace: MemoryWorkspace;
  /** Returns whether a file exists in memory at an absolute path, inside or outside the workspace. */
  readonly isFile: (path: string) => boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly rules: EnvironmentVariables | undefined;
}

/** Runs commands in the emulated shell, each in a folder of the workspace. */
export class MemoryCommands {
  readonly #options: MemoryCommandsOptions;
  readonly #spawned = new Set<SpawnedShell>();

  constructor(options: MemoryCommandsOptions) {
    this.#options = options;
  }

  async exec(argv: readonly string[], options: ExecOptions): Promise<ExecResult> {
    return runInShell(this.#options.shell, await this.#program(argv, options), options);
  }

  async shell(command: string, options: ExecOptions): Promise<ExecResult> {
    return runInShell(this.#options.shell, this.#commandOf(command, options), options);
  }

  async spawn(argv: readonly string[], options: SpawnOptions): Promise<SpawnedProcess> {
    return this.#spawn(await this.#program(argv, options), options);
  }

  async spawnShell(command: string, options: SpawnOptions): Promise<SpawnedProcess> {
    return this.#spawn(this.#commandOf(command, options), options);
  }

  /** Ends all running commands, including those that wait for input. */
  async close(): Promise<void> {
    await Promise.all([...this.#spawned].map((spawned) => spawned[Symbol.asyncDispose]()));
    await this.#options.shell.close();
  }

  async #spawn(command: ShellCommand, { signal }: SpawnOptions): Promise<SpawnedProcess> {
    signal?.throwIfAborted();
    await this.#options.shell.load();
    const spawned = new SpawnedShell(this.#options.shell, command);
    const onAbort = (): void => spawned.kill();
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#spawned.add(spawned);
    void spawned.exited.then(() => {
      this.#spawned.delete(spawned);
      signal?.removeEventListener("abort", onAbort);
    });
    if (signal?.aborted === true) onAbort();
    return spawned;
  }

  async #program(argv: readonly string[], options: SpawnOptions): Promise<ShellCommand> {
    // Checked at run time: if `argv` were a string, its first character would be run as a program.
    if (!Array.isArray(argv))
      throw new TypeError("exec and spawn take a list: the program and its arguments; shell takes a line.");
    const [command = ""] = argv;
    if (command === "")
      throw new EngineError("environment.spawn_failed", { command: "(empty)", problem: "no program is named" });
    const prepared = this.#commandOf(argv.map(quoteArgument).join(" "), options, command);
    if (options.signal?.aborted === true) return prepared;
    // Loading the shell adds its program files (`/bin/ls` etc.) to the files in memory.
    await this.#options.shell.load();
    if (!this.#isProgram(command, prepared.cwd)) throw new EngineError("environment.command_not_found", { command });
    return prepared;
  }

  #isProgram(command: string, cwd: string): boolean {
    const { isFile } = this.#options;
    if (command.includes("/")) return isFile(command.startsWith("/") ? command : `${cwd}/${command}`);
    return SHELL_PROGRAMS.has(command) || PROGRAM_FOLDERS.some((folder) => isFile(`${folder}/${command}`));
  }

  #commandOf(script: string, { cwd = ".", env }: SpawnOptions, name = script): ShellCommand {
    const { workspace, rules } = this.#options;
    const folder = workspace.realFolder(cwd);
    const variables = {
      PATH: SHELL_VARIABLES.PATH,
      ...selectVariables({ ...SHELL_VARIABLES, ...this.#options.variables }, mergeVariableRules(rules, env)),
    };
    const inputs = [script, ...Object.entries(variables).flat()];
    if (inputs.some((text) => text.includes("\0"))) {
      const problem = "an argument or a variable contains a NUL character";
      throw new EngineError("environment.spawn_failed", { command: name.slice(0, 200), problem });
    }
    return { script, cwd: folder, variables };
  }
}
