import {
  type DirectoryEntry,
  EngineError,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type FileStat,
  type GlobOptions,
  type GrepMatch,
  type GrepOptions,
  type GrepResult,
  type ReadBytesOptions,
  type ReadFileOptions,
  type SpawnedProcess,
} from "@switchyard/contracts";
import { compileGlob, compileLineMatcher, resolveWorkspacePath } from "@switchyard/environment";

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
}

const ROOT = "/memory";

/** An environment that a third party could implement: files in memory, and a shell with two commands. */
export class MemoryEnvironment implements ExecutionEnvironment {
  readonly name = "memory";
  readonly workingDirectory = ROOT;
  readonly platform = "wasm";
  readonly osVersion = "0";
  readonly #files = new Map<string, MemoryFile>();
  readonly #folders = new Set<string>([""]);
  #changes = 0;

  async readFile(
    path: string,
    { offset = 1, limit = Number.POSITIVE_INFINITY }: ReadFileOptions = {},
  ): Promise<string> {
    const { bytes } = this.#fileAt(path);
    if (bytes.includes(0)) throw new EngineError("environment.binary_file", { path });
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    return lines.slice(offset - 1, offset - 1 + limit).join("");
  }

  async readBytes(path: string, { offset = 0, length }: ReadBytesOptions = {}): Promise<Uint8Array> {
    const { bytes } = this.#fileAt(path);
    return bytes.slice(offset, length === undefined ? undefined : offset + length);
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    const key = this.#keyOf(path);
    this.#addFolders(parentOf(key));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    this.#files.set(key, { bytes, modifiedMs: ++this.#changes });
  }

  async exists(path: string): Promise<boolean> {
    const key = this.#keyOf(path);
    return this.#files.has(key) || this.#folders.has(key);
  }

  async stat(path: string): Promise<FileStat> {
    if (this.#folders.has(this.#keyOf(path))) return { kind: "directory", size: 0, modifiedMs: 0 };
    const { bytes, modifiedMs } = this.#fileAt(path);
    return { kind: "file", size: bytes.length, modifiedMs };
  }

  async listDirectory(path: string, depth = 1): Promise<DirectoryEntry[]> {
    const key = this.#keyOf(path);
    if (!this.#folders.has(key)) throw new EngineError("environment.file_not_found", { path });
    const below = (name: string): string => (key === "" ? name : name.slice(key.length + 1));
    const isListed = (name: string): boolean => isBelow(name, key) && below(name).split("/").length <= depth;
    const folders = [...this.#folders]
      .filter(isListed)
      .map((name) => ({ name: below(name), kind: "directory" }) as const);
    const files = [...this.#files].filter(([name]) => isListed(name));
    const entries: DirectoryEntry[] = [
      ...folders,
      ...files.map(([name, { bytes }]) => ({ name: below(name), kind: "file", size: bytes.length }) as const),
    ];
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  async makeDirectory(path: string): Promise<void> {
    this.#addFolders(this.#keyOf(path));
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.#fileAt(from);
    this.#files.delete(this.#keyOf(from));
    await this.writeFile(to, file.bytes);
  }

  async remove(path: string): Promise<void> {
    const key = this.#keyOf(path);
    if (!(await this.exists(path))) throw new EngineError("environment.file_not_found", { path });
    const isGone = (name: string): boolean => name === key || isBelow(name, key);
    for (const name of [...this.#files.keys()].filter(isGone)) this.#files.delete(name);
    for (const name of [...this.#folders].filter(isGone)) this.#folders.delete(name);
  }

  async exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    const [program = "", ...args] = argv;
    if (program === "echo") return this.#end(`${args.join(" ")}\n`, options);
    if (program === "sleep") return this.#sleep(Number(args[0]) * 1_000, options);
    throw new EngineError("environment.command_not_found", { command: program });
  }

  async shell(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    const argv = command.split(" ");
    if (/^(echo|sleep)$/.test(argv[0] ?? "")) return this.exec(argv, options);
    return { ...this.#end("", options), stderr: `${argv[0]}: not found\n`, exitCode: 127 };
  }

  async spawn(argv: readonly string[]): Promise<SpawnedProcess> {
    throw new EngineError("environment.spawn_failed", { command: argv[0] ?? "", problem: "there are no processes" });
  }

  async grep(pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
    const { glob = "**", caseInsensitive = false, maxResults = 100, mode = "content" } = options;
    const isMatch = await compileLineMatcher(pattern, caseInsensitive);
    const found: GrepMatch[] = [];
    for (const path of await this.glob("**", { path: options.path })) {
      if (!compileGlob(glob)(path) && !compileGlob(glob)(path.split("/").at(-1) ?? "")) continue;
      const lines = (await this.readFile(path)).split("\n");
      const matches = lines.flatMap((text, index) =>
        isMatch(text) ? [{ path, line: index + 1, text, isContext: false }] : [],
      );
      if (mode === "content") found.push(...matches);
      else if (matches.length > 0) {
        found.push({ path, line: 0, text: mode === "count" ? String(matches.length) : "", isContext: false });
      }
    }
    return { matches: found.slice(0, maxResults), truncated: found.length > maxResults };
  }

  async glob(pattern: string, { path = ".", maxResults = 1_000 }: GlobOptions = {}): Promise<string[]> {
    const isMatch = compileGlob(pattern);
    const key = this.#keyOf(path);
    return [...this.#files]
      .filter(
        ([name]) => name === key || (isBelow(name, key) && isMatch(key === "" ? name : name.slice(key.length + 1))),
      )
      .sort(([, left], [, right]) => right.modifiedMs - left.modifiedMs)
      .map(([name]) => name)
      .slice(0, maxResults);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#files.clear();
  }

  #keyOf(path: string): string {
    return resolveWorkspacePath({ real: ROOT }, path).relative;
  }

  #fileAt(path: string): MemoryFile {
    const key = this.#keyOf(path);
    if (this.#folders.has(key)) throw new EngineError("environment.not_a_file", { path, found: "directory" });
    const file = this.#files.get(key);
    if (file === undefined) throw new EngineError("environment.file_not_found", { path });
    return file;
  }

  #addFolders(key: string): void {
    for (let folder = key; folder !== ""; folder = parentOf(folder)) this.#folders.add(folder);
  }

  #end(stdout: string, { onOutput }: ExecOptions): ExecResult {
    if (stdout !== "") onOutput?.({ stream: "stdout", text: stdout });
    return { stdout, stderr: "", exitCode: 0, timedOut: false, aborted: false, durationMs: 0, droppedBytes: 0 };
  }

  async #sleep(ms: number, options: ExecOptions): Promise<ExecResult> {
    const { timeoutMs = 0, signal } = options;
    const limits = [AbortSignal.timeout(ms), ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [])];
    const over = AbortSignal.any([...limits, ...(signal === undefined ? [] : [signal])]);
    if (!over.aborted) await new Promise((resolve) => over.addEventListener("abort", resolve, { once: true }));
    const aborted = signal?.aborted === true;
    const timedOut = !aborted && limits[0]?.aborted !== true;
    return { ...this.#end("", options), aborted, timedOut, exitCode: aborted || timedOut ? 143 : 0 };
  }
}

function parentOf(key: string): string {
  const end = key.lastIndexOf("/");
  return end < 0 ? "" : key.slice(0, end);
}

function isBelow(name: string, key: string): boolean {
  return name !== "" && (key === "" || name.startsWith(`${key}/`));
}
