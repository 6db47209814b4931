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

/** Operation of an environment. */
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

/** One call to an environment, without file contents. */
export interface EnvironmentCall {
  /** Operation. */
  readonly operation: EnvironmentOperation;
  /** Paths as given by the caller. A rename has the old and the new path. */
  readonly paths: readonly string[];
  /** Pattern of a search. */
  readonly pattern?: string | undefined;
  /** Command line, or program and arguments. */
  readonly command?: string | readonly string[] | undefined;
  /** Options of the command. */
  readonly options?: ExecOptions | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Lifetime options of wrappers. */
export interface WrapperOptions {
  /** True to keep the wrapped environment open when the wrapper is disposed. Default: false. */
  readonly keepOpen?: boolean | undefined;
}

/** Hooks of a wrapper around an environment. The hook `around` wraps every call; the other hooks run inside it. */
export interface Wrapping extends WrapperOptions {
  /** Suffix appended to the environment's name. */
  readonly suffix: string;
  /** Wraps every call. */
  around?<T>(call: EnvironmentCall, run: () => Promise<T>): Promise<T>;
  /** Wraps reading a text. */
  text?(call: EnvironmentCall, run: () => Promise<string>): Promise<string>;
  /** Wraps reading bytes. */
  bytes?(call: EnvironmentCall, run: () => Promise<Uint8Array>): Promise<Uint8Array>;
  /** Wraps a command that is run to completion. */
  command?(call: EnvironmentCall, run: (options: ExecOptions) => Promise<ExecResult>): Promise<ExecResult>;
  /** Wraps starting a process. */
  spawned?(call: EnvironmentCall, run: () => Promise<SpawnedProcess>): Promise<SpawnedProcess>;
  /** Called before the wrapped environment is closed. */
  onDispose?(): void;
}

/**
 * Returns an environment that forwards all calls to another environment through the wrapper's hooks. See loop: §4.4.
 */
export function wrapEnvironment(inner: ExecutionEnvironment, wrapping: Wrapping): ExecutionEnvironment {
  let closed: Promise<void> | undefined;
  const on = async <T>(call: EnvironmentCall, run: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) throw new EngineError("environment.closed");
    return wrapping.around === undefined ? run() : wrapping.around(call, run);
  };
  const { spawnShell, endMarked, exposeSocket } = inner;
  return {
    name: `${inner.name}+${wrapping.suffix}`,
    ...forwardFacts(inner),
    ...forwardFiles({ inner, wrapping, on }),
    ...forwardCommands({ inner, wrapping, on }),
    // The method is omitted if the wrapped environment lacks it, because callers check whether it exists.
    ...(spawnShell === undefined
      ? {}
      : {
          spawnShell: (command, options = {}) =>
            startProcess({ inner, wrapping, on }, { operation: "spawnShell", command, options }, () =>
              spawnShell.call(inner, command, options),
            ),
        }),
    ...(endMarked === undefined ? {} : { endMarked: (mark) => endMarked.call(inner, mark) }),
    ...(exposeSocket === undefined ? {} : { exposeSocket: () => exposeSocket.call(inner) }),
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

type Facts = Pick<
  ExecutionEnvironment,
  "workingDirectory" | "platform" | "osVersion" | "processMark" | "sharesLoopback"
>;

function forwardFacts(inner: ExecutionEnvironment): Facts {
  const { workingDirectory, platform, osVersion, processMark, sharesLoopback } = inner;
  const facts = { workingDirectory, platform, osVersion, sharesLoopback };
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
  commandCall: CommandCall,
  run: (options: ExecOptions) => Promise<ExecResult>,
): Promise<ExecResult> {
  const call: EnvironmentCall = { ...commandCall, paths: [], signal: commandCall.options.signal };
  return on(call, () => (command === undefined ? run(commandCall.options) : command(call, run)));
}

function startProcess(
  { wrapping: { spawned }, on }: Forwarding,
  commandCall: CommandCall & { readonly options: SpawnOptions },
  run: () => Promise<SpawnedProcess>,
): Promise<SpawnedProcess> {
  const call: EnvironmentCall = { ...commandCall, paths: [], signal: commandCall.options.signal };
  return on(call, () => (spawned === undefined ? run() : spawned(call, run)));
}

async function dispose(inner: ExecutionEnvironment, { keepOpen, onDispose }: Wrapping): Promise<void> {
  onDispose?.();
  if (keepOpen !== true) await inner[Symbol.asyncDispose]();
}
