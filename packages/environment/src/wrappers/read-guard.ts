import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../path/workspace-path.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { isSameContent, takeFingerprint } from "./fingerprint.ts";

const ALL_LEVELS = Number.MAX_SAFE_INTEGER;

/** State of a file when it was read or written through the wrapper. */
interface Known {
  readonly fingerprint: Fingerprint;
  /** Sequence number of the check that determined this state. */
  readonly at: number;
}

/** Tracks which files were read, and their state at that time. Paths are compared as text; links are not resolved. */
export class ReadGuard {
  readonly #environment: ExecutionEnvironment;
  readonly #known = new Map<string, Known>();
  #looks = 0;

  constructor(environment: ExecutionEnvironment) {
    this.#environment = environment;
  }

  /**
   * Runs a read. Records the state that the file had before the read, so that a change during the read is detected
   * later.
   */
  async read<T>(path: string, run: () => Promise<T>, contentOf: (result: T) => Uint8Array | undefined): Promise<T> {
    const at = this.#nextLook();
    const before = await this.#statOf(path);
    const result = await run();
    if (before === undefined || before.kind !== "file") return result;
    try {
      const after = await this.#environment.stat(path);
      const isSteady = after.size === before.size && after.modifiedMs === before.modifiedMs;
      const content = isSteady ? contentOf(result) : undefined;
      const isComplete = content !== undefined && content.length === after.size;
      const seen = isComplete ? await takeFingerprint(this.#environment, path, content) : before;
      this.#see(path, { fingerprint: seen, at });
    } catch {
      // The file was removed during the read. Nothing can be overwritten at its path, so writing there is allowed.
    }
    return result;
  }

  /** Records a written file. */
  async remember(path: string, content: Uint8Array): Promise<void> {
    const at = this.#nextLook();
    this.#see(path, { fingerprint: await takeFingerprint(this.#environment, path, content), at });
  }

  /** Renames the recorded states of a path and everything below it. */
  move(from: string, to: string): void {
    const [source, target] = [this.#keyOf(from), this.#keyOf(to)];
    for (const [key, known] of [...this.#known]) {
      if (!isAtOrBelow(source, key)) continue;
      this.#known.delete(key);
      this.#known.set(target + key.slice(source.length), known);
    }
  }

  /** Removes the recorded states of a path and everything below it. */
  forget(path: string): void {
    const removed = this.#keyOf(path);
    for (const key of [...this.#known.keys()]) if (isAtOrBelow(removed, key)) this.#known.delete(key);
  }

  /**
   * Throws `environment.file_not_read` for an existing file that was not read before, and `environment.file_changed`
   * for a file that has changed since it was read. With `deep`, all files of a folder are checked.
   */
  async assertKnown(path: string, { deep = false }: { deep?: boolean } = {}): Promise<void> {
    const found = await this.#statOf(path);
    // Only a file has content that could be lost. For other paths, the operation itself reports problems.
    if (found?.kind === "file") return this.#assertFileKnown(path);
    if (found?.kind !== "directory" || !deep) return;
    const folder = this.#keyOf(path);
    for (const { name, kind } of await this.#environment.listDirectory(path, ALL_LEVELS)) {
      if (kind === "file") await this.#assertFileKnown(folder === "" ? name : `${folder}/${name}`);
    }
  }

  async #assertFileKnown(path: string): Promise<void> {
    const known = this.#known.get(this.#keyOf(path));
    if (known === undefined) throw new EngineError("environment.file_not_read", { path });
    const now = await takeFingerprint(this.#environment, path);
    if (!isSameContent(known.fingerprint, now)) throw new EngineError("environment.file_changed", { path });
  }

  #nextLook(): number {
    this.#looks += 1;
    return this.#looks;
  }

  /**
   * Records the state of a file, unless a later check has already recorded one: a slow read must not restore a state
   * that a write has replaced.
   */
  #see(path: string, known: Known): void {
    const key = this.#keyOf(path);
    if ((this.#known.get(key)?.at ?? 0) < known.at) this.#known.set(key, known);
  }

  async #statOf(path: string): Promise<Fingerprint | undefined> {
    try {
      return await this.#environment.stat(path);
    } catch {
      return undefined;
    }
  }

  #keyOf(path: string): string {
    const { workingDirectory, platform } = this.#environment;
    const style = platform === "windows" ? "windows" : "posix";
    try {
      return resolveWorkspacePath({ real: workingDirectory, style }, path).relative;
    } catch {
      // The path cannot be resolved here, but the environment may accept it, for example another name of the workspace.
      return path;
    }
  }
}

function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
