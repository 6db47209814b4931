import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { copyBytes } from "../../output/to-bytes.ts";
import { nameOfCommand } from "../call-kind.ts";
import type { SerialQueue } from "../serial-queue.ts";
import { ifExists } from "./base-folder.ts";
import type { Layer } from "./layer.ts";
import { ViewFiles } from "./view-files.ts";
import { globView, grepView } from "./view-search.ts";

/** Parts of an overlay environment: the layer that stores its changes, the queue of operations, and settings. */
export interface OverlayParts {
  readonly layer: Layer;
  /**
   * Queue that runs changes one at a time. While the overlay is being applied to its base environment, reads wait in
   * the queue too.
   */
  readonly inTurn: SerialQueue;
  readonly whenApplied: () => Promise<unknown>;
  readonly commands: "refuse" | "base";
  readonly maxReadBytes: number;
  readonly keepOpen: boolean;
}

/**
 * Creates the environment with the merged files of an overlay. As long as the overlay contains no changes, calls go
 * directly to the base environment.
 */
export function createOverlayEnvironment(parts: OverlayParts): ExecutionEnvironment {
  const { layer } = parts;
  const base = layer.base.environment;
  let closed: Promise<void> | undefined;
  const assertOpen = (): void => {
    if (closed !== undefined) throw new EngineError("environment.closed");
  };
  const { processMark, endMarked } = base;
  return {
    name: `${base.name}+overlay`,
    workingDirectory: base.workingDirectory,
    platform: base.platform,
    osVersion: base.osVersion,
    ...(processMark === undefined ? {} : { processMark }),
    ...(endMarked === undefined ? {} : { endMarked: (mark) => endMarked.call(base, mark) }),
    ...createReading(parts, assertOpen),
    ...createWriting(parts, assertOpen),
    ...createCommands(parts, assertOpen),
    [Symbol.asyncDispose]() {
      closed ??= close(parts);
      return closed;
    },
  };
}

async function close({ layer, keepOpen }: OverlayParts): Promise<void> {
  if (!keepOpen) await layer.base.environment[Symbol.asyncDispose]();
}

type Reading = Pick<
  ExecutionEnvironment,
  "readFile" | "readBytes" | "exists" | "stat" | "listDirectory" | "grep" | "glob"
>;

function createReading({ layer, whenApplied, maxReadBytes }: OverlayParts, assertOpen: () => void): Reading {
  const base = layer.base.environment;
  const files = new ViewFiles(() => layer.view, { maxReadBytes });
  const searched = { view: () => layer.view, files };
  const look = async <T>(plain: () => Promise<T>, merged: () => Promise<T>): Promise<T> => {
    assertOpen();
    await whenApplied();
    return layer.isEmpty ? plain() : merged();
  };
  return {
    readFile: (path, window = {}) =>
      look(
        () => base.readFile(path, window),
        () => files.readText(path, window),
      ),
    readBytes: (path, window = {}) =>
      look(
        () => base.readBytes(path, window),
        () => files.readBytes(path, window),
      ),
    exists: (path) =>
      look(
        () => base.exists(path),
        async () => (await ifExists(files.stat(path))) !== undefined,
      ),
    stat: (path) =>
      look(
        () => base.stat(path),
        () => files.stat(path),
      ),
    listDirectory: (path, depth = 1) =>
      look(
        () => base.listDirectory(path, depth),
        () => files.list(path, depth),
      ),
    grep: (pattern, options = {}) =>
      look(
        () => base.grep(pattern, options),
        () => grepView(searched, pattern, options),
      ),
    glob: (pattern, options = {}) =>
      look(
        () => base.glob(pattern, options),
        () => globView(searched, pattern, options),
      ),
  };
}

type Writing = Pick<ExecutionEnvironment, "writeFile" | "makeDirectory" | "rename" | "remove">;

function createWriting({ layer, inTurn }: OverlayParts, assertOpen: () => void): Writing {
  const change = async (work: () => Promise<void>): Promise<void> => {
    assertOpen();
    await inTurn(work);
  };
  return {
    writeFile(path, content) {
      // The content is copied, because the caller may reuse its buffer.
      const bytes = copyBytes(content);
      return change(() => layer.write(path, bytes));
    },
    makeDirectory: (path) => change(() => layer.makeFolder(path)),
    rename: (from, to) => change(() => layer.rename(from, to)),
    remove: (path) => change(() => layer.remove(path)),
  };
}

type Commands = Pick<ExecutionEnvironment, "exec" | "shell" | "spawn" | "spawnShell">;

function createCommands({ layer, commands }: OverlayParts, assertOpen: () => void): Commands {
  const base = layer.base.environment;
  const { spawnShell } = base;
  const run = async <T>(command: string | readonly string[], start: () => Promise<T>): Promise<T> => {
    assertOpen();
    if (commands === "base") return start();
    const problem = "commands would read and change the files of the base environment";
    throw new EngineError("environment.command_refused", { command: nameOfCommand({ command }), problem });
  };
  const forwarded: Commands = {
    exec: (argv, options) => run(argv, () => base.exec(argv, options)),
    shell: (command, options) => run(command, () => base.shell(command, options)),
    spawn: (argv, options) => run(argv, () => base.spawn(argv, options)),
  };
  if (spawnShell === undefined) return forwarded;
  return {
    ...forwarded,
    spawnShell: (command, options) => run(command, () => spawnShell.call(base, command, options)),
  };
}
