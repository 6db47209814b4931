import { randomUUID } from "node:crypto";
import { delimiter, isAbsolute } from "node:path";
import type { EnvironmentVariables, SpawnOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { HostVariables } from "../../variables/select-variables.ts";
import { mergeVariableRules, selectVariables } from "../../variables/select-variables.ts";
import type { LocalWorkspace, PinnedPath } from "../workspace/pin-path.ts";
import type { ContainedCommand, Containment } from "./containment.ts";
import type { ProcessTimes } from "./local-process.ts";
import { LocalProcess } from "./local-process.ts";
import { sendTo } from "./process-group.ts";
import { followMarkedProcesses, PROCESS_MARK, renderProcessMark } from "./process-table.ts";
import type { HelperUse } from "./spawn-helper/shared-helper.ts";
import { shareSpawnHelper } from "./spawn-helper/shared-helper.ts";
import type { StartInput } from "./start-input.ts";
import { startProcess } from "./start-process.ts";
import { waitUntil } from "./wait-until.ts";
import { createWorkingFolders } from "./working-folders.ts";

/**
 * Format of a process mark: a random UUID. The mark is the value of an environment variable that identifies processes
 * of one environment.
 */
const MARK = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Settings shared by all processes of an environment. */
export interface ProcessSettings {
  readonly workspace: LocalWorkspace;
  /** Variables of the host. */
  readonly hostVariables: HostVariables;
  /** Rules that select which of the host's environment variables are passed to processes. */
  readonly variableRules: EnvironmentVariables | undefined;
  readonly times: ProcessTimes;
  /** Containment of commands, for example in a sandbox. Internal tools of the environment run without containment. */
  readonly containment?: Containment | undefined;
  /** Selects whether this process or a small helper process starts the processes. */
  readonly spawnHelper?: HelperUse | undefined;
}

/** A program to start in the workspace. */
export interface Command extends Pick<StartInput, "argv" | "stdin" | "output" | "verbatim"> {
  /**
   * True if the program is a shell that runs a command line. Programs in the command line are then resolved by the
   * shell.
   */
  readonly isCommandLine?: boolean | undefined;
}

/** Starts processes and tracks running ones. */
export interface ProcessStarter {
  /** Starts a program in a folder of the workspace, with the environment variables selected by `options`. */
  start(command: Command, options: Pick<SpawnOptions, "cwd" | "env">): Promise<LocalProcess>;
  /** Starts an internal tool in an already opened folder, without the host's environment variables. */
  startIn(folder: PinnedPath, command: Command): Promise<LocalProcess>;
  /**
   * Process mark: value of an environment variable by which started processes can be found later. `undefined` on
   * systems other than Linux.
   */
  readonly mark: string | undefined;
  /**
   * Ends processes that an earlier environment left running when its host process exited. `mark` is the process mark of
   * that environment, which the environment variables of these processes contain. Resolves with the number of processes
   * that were found.
   */
  endMarked(mark: string): Promise<number>;
  /** Ends all started processes and resolves when they are gone. Later starts fail. */
  close(): Promise<void>;
}

/** Creates the process starter of an environment. */
export function createProcessStarter(settings: ProcessSettings): ProcessStarter {
  const { hostVariables, containment, times } = settings;
  const processes = new StartedProcesses(settings);
  const folders = createWorkingFolders(settings.workspace);
  // Variables for commands whose options contain no rules for variables. They are selected only once, because the
  // selection scans the values of all variables for credentials.
  const usualVariables = selectProcessVariables(settings, undefined);

  const startIn = async (folder: PinnedPath, command: Command, env: SpawnOptions["env"]): Promise<LocalProcess> => {
    const selected = env === undefined ? usualVariables : selectProcessVariables(settings, env);
    const seen = command.isCommandLine === true ? selected : withoutRelativeFolders(selected);
    const input = { ...command, cwd: folder.access(), variables: withWorkingFolder(seen, folder.real) };
    const launch = (contained: StartInput): Promise<LocalProcess> => processes.launch(contained);
    if (containment === undefined) return await launch(input);
    return await launchContained(containment, { input, folder: folder.real }, launch);
  };
  return {
    mark: process.platform === "linux" ? processes.id : undefined,
    endMarked: async (mark) => {
      // The process mark was read from a file. An invalid mark must not select processes to end.
      if (!MARK.test(mark)) return 0;
      // If this process runs inside the environment with this process mark, it must not end itself.
      if (hostVariables[PROCESS_MARK]?.includes(`${mark}.`)) return 0;
      return endEscaped(`${mark}.`, times.killGraceMs);
    },
    start: (command, options) =>
      processes.whileOpen(async () => {
        const folder = await folders.pin(options.cwd);
        try {
          return await startIn(folder, command, options.env);
        } finally {
          // Not awaited: Node discards the output of a process that exits before a listener is attached.
          void folder[Symbol.asyncDispose]().then(undefined, () => {});
        }
      }),
    startIn: (folder, command) =>
      processes.whileOpen(() => processes.launch({ ...command, cwd: folder.access(), variables: {} })),
    async close() {
      await processes.close();
      await folders.close();
    },
  };
}

/** Processes of one environment. Each has a mark in its environment variables, by which its descendants can be found. */
class StartedProcesses {
  /** Process mark of the environment, with which the marks of all its processes begin. */
  readonly id = randomUUID();
  readonly #settings: ProcessSettings;
  readonly #helper: ReturnType<typeof shareSpawnHelper>;
  readonly #living = new Set<LocalProcess>();
  readonly #starting = new Set<Promise<unknown>>();
  #count = 0;
  #closed = false;

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.#helper = shareSpawnHelper(settings.spawnHelper);
  }

  /** Starts a process and adds its mark to its environment variables. */
  async launch(input: StartInput): Promise<LocalProcess> {
    const { hostVariables, times } = this.#settings;
    // The command number is enclosed in dots, so that a search for the mark of command 1 does not match command 12.
    const mark = `${this.id}.${++this.#count}.`;
    const outer = hostVariables[PROCESS_MARK];
    const variables = { ...input.variables, [PROCESS_MARK]: renderProcessMark(outer, mark) };
    const child = await startProcess({ ...input, variables }, await this.#helper.forNextCommand());
    const process = new LocalProcess(child, mark, times);
    this.#living.add(process);
    void process.finished.then(() => this.#living.delete(process));
    return process;
  }

  /** Runs work that starts a process; `close` waits for it. Rejects with `environment.closed` after `close`. */
  async whileOpen(work: () => Promise<LocalProcess>): Promise<LocalProcess> {
    if (this.#closed) throw new EngineError("environment.closed");
    const pending = work();
    this.#starting.add(pending);
    try {
      return await pending;
    } finally {
      this.#starting.delete(pending);
    }
  }

  /** Ends all processes and resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#living].map((process) => process.stop()));
    // The search reads the variables of every process of the machine, so it is left out if no process was started.
    if (this.#count > 0) await endEscaped(`${this.id}.`, this.#settings.times.killGraceMs);
    await Promise.all([...this.#living].map((process) => process.finished));
    this.#helper.close();
  }
}

async function launchContained(
  containment: Containment,
  command: ContainedCommand,
  launch: (input: StartInput) => Promise<LocalProcess>,
): Promise<LocalProcess> {
  const { input, release } = await containment.enter(command);
  try {
    const process = await launch(input);
    void process.finished.then(release);
    return process;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Search path used when the variables have no PATH. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function selectProcessVariables(
  { hostVariables, variableRules, workspace }: ProcessSettings,
  call: EnvironmentVariables | undefined,
): Readonly<Record<string, string>> {
  const rules = mergeVariableRules(variableRules, call);
  const variables = selectVariables(hostVariables, { ...rules, deny: [...(rules.deny ?? []), "OLDPWD", PROCESS_MARK] });
  // If SHLVL is below 1 and standard input is a socket, bash assumes that rshd started it and reads ~/.bashrc.
  const { SHLVL: level = "" } = variables;
  const hasLevel = /^[1-9]\d{0,2}$/.test(level);
  // Without a PATH, bash also searches the working folder, where a file of the workspace could replace a program.
  const path = workspace.style === "posix" ? { PATH: DEFAULT_PATH } : {};
  return { ...path, ...variables, SHLVL: hasLevel ? level : "1" };
}

/**
 * Removes relative folders from PATH. Otherwise a file in the repository could be run instead of git or another
 * program. All program lookups of this package ignore relative folders.
 */
function withoutRelativeFolders(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { PATH: path } = variables;
  if (path === undefined || process.platform === "win32") return variables;
  const folders = path.split(delimiter);
  if (folders.every(isAbsolute)) return variables;
  return { ...variables, PATH: folders.filter(isAbsolute).join(delimiter) || DEFAULT_PATH };
}

/** Sets PWD to the command's folder, because the inherited value is the host's working folder. */
function withWorkingFolder(
  variables: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  return variables["PWD"] === undefined ? variables : { ...variables, PWD: folder };
}

/**
 * Ends processes that left their process group and outlived their command: SIGTERM, then SIGKILL after the grace
 * period. Resolves with the number of processes that were found.
 */
async function endEscaped(mark: string, killGraceMs: number): Promise<number> {
  const escaped = followMarkedProcesses(mark);
  const asked = new Set<number>();
  const haveEnded = (): boolean => {
    // A second SIGTERM would make many programs exit immediately.
    escaped.signal((pid) => {
      if (!asked.has(pid)) sendTo(pid, "SIGTERM");
      asked.add(pid);
    });
    return !escaped.areAlive();
  };
  if (await waitUntil(haveEnded, killGraceMs)) return escaped.count;
  const isOver = (): boolean => {
    escaped.signal((pid) => void sendTo(pid, "SIGKILL"));
    return !escaped.areAlive();
  };
  await waitUntil(isOver, killGraceMs);
  return escaped.count;
}
