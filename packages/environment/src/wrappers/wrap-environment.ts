import type {
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  GlobOptions,
  GrepOptions,
  SpawnedProcess,
  SpawnOptions,
} from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";

/** What an environment does. */
export type EnvironmentOperation =
  | "readFile"
  | "readBytes"
  | "writeFile"
  | "exists"
  | "stat"
  | "listDirectory"
  | "makeDirectory"
  | "rename"
  | "remove"
  | "exec"
  | "shell"
  | "spawn"
  | "spawnShell"
  | "grep"
  | "glob";

/** One call of an environment, without contents. */
export interface EnvironmentCall {
  /** What is done. */
  readonly operation: EnvironmentOperation;
  /** Paths as they were given; of a move the old one and the new one. */
  readonly paths: readonly string[];
  /** Pattern of a search. */
  readonly pattern?: string | undefined;
  /** The command line, or the program with its arguments. */
  readonly command?: string | readonly string[] | undefined;
  /** How the command is run. */
  readonly options?: ExecOptions | undefined;
  /** Ends the call when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** Lifetime of what is wrapped. */
export interface WrapperOptions {
  /** Whether the wrapped environment stays open when the wrapper is disposed of; it is closed by default. */
  readonly keepOpen?: boolean | undefined;
}

/** What a wrapper adds. The more special ones run inside of `around`. */
export interface Wrapping extends WrapperOptions {
  /** Name of the wrapper, behind that of the environment. */
  readonly suffix: string;
  /** Round every call. */
  around?<T>(call: EnvironmentCall, run: () => Promise<T>): Promise<T>;
  /** Round the reading of a text. */
  text?(call: EnvironmentCall, run: () => Promise<string>): Promise<string>;
  /** Round the reading of bytes. */
  bytes?(call: EnvironmentCall, run: () => Promise<Uint8Array>): Promise<Uint8Array>;
  /** Round a command that is run to its end. */
  command?(call: EnvironmentCall, run: (options: ExecOptions) => Promise<ExecResult>): Promise<ExecResult>;
  /** Round the start of a process. */
  spawned?(call: EnvironmentCall, run: () => Promise<SpawnedProcess>): Promise<SpawnedProcess>;
  /** Before the wrapped environment is closed. */
  onDispose?(): void;
}

/** An environment that hands everything on to another one, with something round it. loop: §4.4. */
export function wrapEnvironment(inner: ExecutionEnvironment, wrapping: Wrapping): ExecutionEnvironment {
  let closed: Promise<void> | undefined;
  const on = async <T>(call: EnvironmentCall, run: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) throw new EngineError("environment.closed");
    return wrapping.around === undefined ? run() : wrapping.around(call, run);
  };
  const { spawnShell, endMarked } = inner;
  return {
    name: `${inner.name}+${wrapping.suffix}`,
    ...forwardFacts(inner),
    ...forwardFiles({ inner, wrapping, on }),
    ...forwardCommands({ inner, wrapping, on }),
    // Absent where the wrapped environment has none: callers look for them.
    ...(spawnShell === undefined
      ? {}
      : {
          spawnShell: (command, options = {}) =>
            startProcess({ inner, wrapping, on }, { operation: "spawnShell", command, options }, () =>
              spawnShell.call(inner, command, options),
            ),
        }),
    ...(endMarked === undefined ? {} : { endMarked: (mark) => endMarked.call(inner, mark) }),
    [Symbol.asyncDispose]() {
      closed ??= dispose(inner, wrapping);
      return closed;
    },
  };
}

interface Forwarding {
  readonly inner: ExecutionEnvironment;
  readonly wrapping: Wrapping;
  readonly on: <T>(call: EnvironmentCall, run: () => Promise<T>) => Promise<T>;
}

type Facts = Pick<ExecutionEnvironment, "workingDirectory" | "platform" | "osVersion" | "processMark">;

function forwardFacts({ workingDirectory, platform, osVersion, processMark }: ExecutionEnvironment): Facts {
  const facts = { workingDirectory, platform, osVersion };
  return processMark === undefined ? facts : { ...facts, processMark };
}

type FileOperations = Pick<
  ExecutionEnvironment,
  | "readFile"
  | "readBytes"
  | "writeFile"
  | "exists"
  | "stat"
  | "listDirectory"
  | "makeDirectory"
  | "rename"
  | "remove"
  | "grep"
  | "glob"
>;

function forwardFiles({ inner, wrapping: { text, bytes }, on }: Forwarding): FileOperations {
  return {
    readFile(path, options) {
      const call: EnvironmentCall = { operation: "readFile", paths: [path] };
      const run = () => inner.readFile(path, options);
      return on(call, () => (text === undefined ? run() : text(call, run)));
    },
    readBytes(path, options) {
      const call: EnvironmentCall = { operation: "readBytes", paths: [path] };
      const run = () => inner.readBytes(path, options);
      return on(call, () => (bytes === undefined ? run() : bytes(call, run)));
    },
    writeFile: (path, content) => on({ operation: "writeFile", paths: [path] }, () => inner.writeFile(path, content)),
    exists: (path) => on({ operation: "exists", paths: [path] }, () => inner.exists(path)),
    stat: (path) => on({ operation: "stat", paths: [path] }, () => inner.stat(path)),
    listDirectory: (path, depth) =>
      on({ operation: "listDirectory", paths: [path] }, () => inner.listDirectory(path, depth)),
    makeDirectory: (path) => on({ operation: "makeDirectory", paths: [path] }, () => inner.makeDirectory(path)),
    rename: (from, to) => on({ operation: "rename", paths: [from, to] }, () => inner.rename(from, to)),
    remove: (path) => on({ operation: "remove", paths: [path] }, () => inner.remove(path)),
    grep: (pattern, options) => on(toSearch("grep", pattern, options), () => inner.grep(pattern, options)),
    glob: (pattern, options) => on(toSearch("glob", pattern, options), () => inner.glob(pattern, options)),
  };
}

function toSearch(
  operation: "grep" | "glob",
  pattern: string,
  { path, signal }: GrepOptions | GlobOptions = {},
): EnvironmentCall {
  return { operation, paths: path === undefined ? [] : [path], pattern, signal };
}

function forwardCommands(forwarding: Forwarding): Pick<ExecutionEnvironment, "exec" | "shell" | "spawn"> {
  const { inner } = forwarding;
  return {
    exec: (argv, options = {}) =>
      runCommand(forwarding, { operation: "exec", command: argv, options }, (used) => inner.exec(argv, used)),
    shell: (command, options = {}) =>
      runCommand(forwarding, { operation: "shell", command, options }, (used) => inner.shell(command, used)),
    spawn: (argv, options = {}) =>
      startProcess(forwarding, { operation: "spawn", command: argv, options }, () => inner.spawn(argv, options)),
  };
}

type CommandCall = Required<Pick<EnvironmentCall, "operation" | "command">> & { readonly options: ExecOptions };

function runCommand(
  { wrapping: { command }, on }: Forwarding,
  given: CommandCall,
  run: (options: ExecOptions) => Promise<ExecResult>,
): Promise<ExecResult> {
  const call: EnvironmentCall = { ...given, paths: [], signal: given.options.signal };
  return on(call, () => (command === undefined ? run(given.options) : command(call, run)));
}

function startProcess(
  { wrapping: { spawned }, on }: Forwarding,
  given: CommandCall & { readonly options: SpawnOptions },
  run: () => Promise<SpawnedProcess>,
): Promise<SpawnedProcess> {
  const call: EnvironmentCall = { ...given, paths: [], signal: given.options.signal };
  return on(call, () => (spawned === undefined ? run() : spawned(call, run)));
}

async function dispose(inner: ExecutionEnvironment, { keepOpen, onDispose }: Wrapping): Promise<void> {
  onDispose?.();
  if (keepOpen !== true) await inner[Symbol.asyncDispose]();
}
