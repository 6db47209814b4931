import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../path/workspace-path.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { isSameContent, takeFingerprint } from "./fingerprint.ts";

const ALL_LEVELS = Number.MAX_SAFE_INTEGER;

/** A file as it was at one time. */
interface Known {
  readonly fingerprint: Fingerprint;
  /** Counts up: when the look at it began. */
  readonly at: number;
}

/** Knows which files were read and how they were then. Paths are taken by their text, links are not looked at. */
export class ReadGuard {
  readonly #environment: ExecutionEnvironment;
  readonly #known = new Map<string, Known>();
  #looks = 0;

  constructor(environment: ExecutionEnvironment) {
    this.#environment = environment;
  }

  /** Reads, and remembers the file as it was. A change while it is read counts as one after it. */
  async read<T>(path: string, run: () => Promise<T>, contentOf: (result: T) => Uint8Array | undefined): Promise<T> {
    const at = this.#nextLook();
    const before = await this.#statOf(path);
    const result = await run();
    if (before === undefined || before.kind !== "file") return result;
    try {
      const after = await this.#environment.stat(path);
      const isSteady = after.size === before.size && after.modifiedMs === before.modifiedMs;
      const content = isSteady ? contentOf(result) : undefined;
      const isWhole = content !== undefined && content.length === after.size;
      const seen = isWhole ? await takeFingerprint(this.#environment, path, content) : before;
      this.#see(path, { fingerprint: seen, at });
    } catch {
      // Gone by now: then it may be written anyway.
    }
    return result;
  }

  /** Remembers a file that was written. */
  async remember(path: string, content: Uint8Array): Promise<void> {
    const at = this.#nextLook();
    this.#see(path, { fingerprint: await takeFingerprint(this.#environment, path, content), at });
  }

  /** What was known of a path and of what is below it goes with it. */
  move(from: string, to: string): void {
    const [source, target] = [this.#keyOf(from), this.#keyOf(to)];
    for (const [key, known] of [...this.#known]) {
      if (!isAtOrBelow(source, key)) continue;
      this.#known.delete(key);
      this.#known.set(target + key.slice(source.length), known);
    }
  }

  /** Forgets a path and what is below it. */
  forget(path: string): void {
    const gone = this.#keyOf(path);
    for (const key of [...this.#known.keys()]) if (isAtOrBelow(gone, key)) this.#known.delete(key);
  }

  /**
   * Throws `environment.file_not_read` for a file that is there and was not read, `environment.file_changed` for one
   * that is not what was read. With `deep`, the files of a folder count too.
   */
  async assertKnown(path: string, { deep = false }: { deep?: boolean } = {}): Promise<void> {
    const found = await this.#statOf(path);
    // What is not there, and what is no file, has nothing to lose; the operation itself says what is wrong with it.
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

  /** Keeps what was seen, unless somebody looked later: a slow reader must not bring back what a write has replaced. */
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
      // Another spelling of the workspace, which the environment itself may know.
      return path;
    }
  }
}

function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
