import { EngineError, type ExecOptions, type ExecResult, type ExecutionEnvironment } from "@switchyard/contracts";

/** Returns an environment that passes all operations on. Base of the wrappers below. */
function forwardingEnvironment(inner: ExecutionEnvironment): ExecutionEnvironment {
  const { name, workingDirectory, platform, osVersion } = inner;
  return {
    ...{ name, workingDirectory, platform, osVersion },
    readFile: (path, options) => inner.readFile(path, options),
    readBytes: (path, options) => inner.readBytes(path, options),
    writeFile: (path, content) => inner.writeFile(path, content),
    exists: (path) => inner.exists(path),
    stat: (path) => inner.stat(path),
    listDirectory: (path, depth) => inner.listDirectory(path, depth),
    makeDirectory: (path) => inner.makeDirectory(path),
    rename: (from, to) => inner.rename(from, to),
    remove: (path) => inner.remove(path),
    exec: (argv, options) => inner.exec(argv, options),
    shell: (command, options) => inner.shell(command, options),
    spawn: (argv, options) => inner.spawn(argv, options),
    grep: (pattern, options) => inner.grep(pattern, options),
    glob: (pattern, options) => inner.glob(pattern, options),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

/** Wraps an environment so that each command line and its exit are recorded. */
export function noting(inner: ExecutionEnvironment, notes: string[]): ExecutionEnvironment {
  async function shell(command: string, options?: ExecOptions): Promise<ExecResult> {
    notes.push(`exec: ${command}`);
    const result = await inner.shell(command, options);
    notes.push(`exit: ${result.exitCode}`);
    return result;
  }
  return { ...forwardingEnvironment(inner), shell };
}

function refuse(): Promise<never> {
  return Promise.reject(new EngineError("environment.read_only"));
}

/** Wraps an environment so that changes of files are rejected. */
export function readOnly(inner: ExecutionEnvironment): ExecutionEnvironment {
  const refused = { writeFile: refuse, makeDirectory: refuse, rename: refuse, remove: refuse };
  return { ...forwardingEnvironment(inner), ...refused };
}
