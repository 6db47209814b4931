import { EngineError } from "@switchyard/contracts";
import { BaseFingerprints } from "./base-fingerprints.ts";
import type { BaseFolder } from "./base-folder.ts";
import type { FileNode, FolderNode, LayerNode } from "./layer-node.ts";
import { bytesOf, joinRelative, toFolderNode } from "./layer-node.ts";
import type { Found, View, ViewLocation } from "./locate.ts";
import { locate } from "./locate.ts";

/** Options for creating a layer, which stores the changes of an overlay. */
export interface LayerOptions {
  readonly maxBytes: number;
  readonly now: () => number;
}

/**
 * Stores the differences between an overlay and its base environment, and implements the operations that change files.
 * Operations must not run concurrently.
 */
export class Layer {
  readonly base: BaseFolder;
  readonly #options: LayerOptions;
  #root: FolderNode = toFolderNode("");
  #witness: BaseFingerprints;
  #bytes = 0;
  /** Paths of the base environment that the overlay has replaced or removed. */
  readonly #hidden = new Set<string>();

  constructor(base: BaseFolder, options: LayerOptions) {
    this.base = base;
    this.#options = options;
    this.#witness = new BaseFingerprints(base);
  }

  /** Merged files: those of the base environment, with the changes of the overlay. */
  get view(): View {
    return { root: this.#root, base: this.base };
  }

  /** Recorded states of files in the base environment that the overlay has replaced or removed. */
  get witness(): BaseFingerprints {
    return this.#witness;
  }

  /** True if the overlay does not differ from its base environment. */
  get isEmpty(): boolean {
    return this.#root.entries.size === 0;
  }

  /** Removes all differences. */
  clear(): void {
    this.#root = toFolderNode("");
    this.#witness = new BaseFingerprints(this.base);
    this.#bytes = 0;
    this.#hidden.clear();
  }

  async write(given: string, bytes: Uint8Array): Promise<void> {
    const location = await locate(this.view, given, { followLast: true, mayMissFolders: true });
    const { path, found } = this.#target(location, given);
    if (found?.kind === "directory") {
      throw new EngineError("environment.not_a_file", { path: given, found: "a folder" });
    }
    if (found !== undefined && found.kind !== "file") {
      throw new EngineError("environment.not_a_file", { path: given, found: "something else" });
    }
    const totalBytes = this.#bytes - bytesOf(found?.node) + bytes.length;
    if (totalBytes > this.#options.maxBytes) throw new EngineError("environment.disk_full", { path: given });
    if (found?.node.kind === "base") await this.#witness.see(found.node.path);
    const node: FileNode = { kind: "file", bytes, modifiedMs: this.#options.now(), origin: originOf(found) };
    this.#folderAt(folderOf(path), location.missing.length - 1);
    this.#put(path, node, found !== undefined);
    this.#bytes = totalBytes;
  }

  async makeFolder(given: string): Promise<void> {
    const location = await locate(this.view, given, { followLast: true, mayMissFolders: true });
    if (location.found !== undefined && location.found.kind !== "directory") {
      throw new EngineError("environment.not_a_directory", { path: given });
    }
    if (location.found === undefined) this.#folderAt(location.path, location.missing.length);
  }

  async remove(given: string): Promise<void> {
    const { path, found } = this.#target(await locate(this.view, given, { followLast: false }), given);
    if (found === undefined) throw new EngineError("environment.file_not_found", { path: given });
    await this.#witness.seeAll(found.node);
    this.#bytes -= bytesOf(found.node);
    this.#take(path);
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#target(await locate(this.view, from, { followLast: false }), from);
    if (source.found === undefined) throw new EngineError("environment.file_not_found", { path: from });
    const target = this.#target(await locate(this.view, to, { followLast: false, mayMissFolders: true }), to);
    // Missing parent folders are created even if the move then fails, as on a real disk.
    this.#folderAt(folderOf(target.path), target.missing.length - 1);
    if (source.path === target.path) return;
    if (target.path.startsWith(`${source.path}/`)) {
      throw new EngineError("environment.invalid_path", { path: to, problem: `it is inside ${from}` });
    }
    await this.#assertReplaceable(source, target, to);
    if (target.found !== undefined) await this.#witness.seeAll(target.found.node);
    this.#bytes -= bytesOf(target.found?.node);
    this.#take(source.path);
    this.#put(target.path, source.found.node, target.found !== undefined);
  }

  async #assertReplaceable(source: ViewLocation, { path, found }: ViewLocation, to: string): Promise<void> {
    if (found === undefined) return;
    const isFolder = found.kind === "directory";
    if (source.path.startsWith(`${path}/`)) throw new EngineError("environment.already_exists", { path: to });
    if (source.found?.kind !== "directory") {
      if (isFolder) throw new EngineError("environment.not_a_file", { path: to, found: "a folder" });
      return;
    }
    if (!isFolder) throw new EngineError("environment.not_a_directory", { path: to });
    if (!(await this.#isEmptyFolder(found.node))) throw new EngineError("environment.already_exists", { path: to });
  }

  async #isEmptyFolder(node: LayerNode): Promise<boolean> {
    if (node.kind === "base") return (await this.base.list(node.path)).length === 0;
    if (node.kind === "file") return false;
    for (const entry of node.entries.values()) if (entry !== undefined) return false;
    const below = node.base === undefined ? [] : await this.base.list(node.base);
    return below.every(({ name }) => node.entries.has(name));
  }

  /** Returns the location at which a change will be made. Rejects the workspace itself. */
  #target(location: ViewLocation, given: string): ViewLocation {
    if (location.path !== "") return location;
    throw new EngineError("environment.invalid_path", { path: given, problem: "it is the workspace itself" });
  }

  /**
   * Returns the layer's entry for a folder of the overlay, and creates it if necessary. The last `added` names of the
   * path are new folders.
   */
  #folderAt(path: string, added = 0): FolderNode {
    let folder = this.#root;
    const names = path === "" ? [] : path.split("/");
    for (const [index, name] of names.entries()) {
      const isNew = index >= names.length - added;
      const home = folder.base === undefined || isNew ? undefined : joinRelative(folder.base, name);
      const entry = folder.entries.has(name) ? folder.entries.get(name) : baseNode(home);
      const next = entry?.kind === "folder" ? entry : toFolderNode(entry?.kind === "base" ? entry.path : undefined);
      if (next !== entry) folder.entries.set(name, next);
      if (isNew) next.modifiedMs = this.#options.now();
      folder = next;
    }
    return folder;
  }

  #put(path: string, node: LayerNode, exists: boolean): void {
    const folder = this.#folderAt(folderOf(path));
    const name = nameOf(path);
    const home = folder.base === undefined ? undefined : joinRelative(folder.base, name);
    folder.modifiedMs = this.#options.now();
    if (exists && home !== undefined && !folder.entries.has(name)) this.#hidden.add(home);
    if (node.kind === "base" && node.path === home) folder.entries.delete(name);
    else folder.entries.set(name, node);
  }

  /**
   * Removes an entry from the layer. If the base environment has or had an entry at the path, the path is recorded as
   * removed.
   */
  #take(path: string): void {
    const folder = this.#folderAt(folderOf(path));
    const name = nameOf(path);
    const home = folder.base === undefined ? undefined : joinRelative(folder.base, name);
    const entry = folder.entries.get(name);
    folder.modifiedMs = this.#options.now();
    const isHome = !folder.entries.has(name) || (entry?.kind === "folder" && entry.base === home);
    if (isHome && home !== undefined) this.#hidden.add(home);
    if (home !== undefined && this.#hidden.has(home)) folder.entries.set(name, undefined);
    else folder.entries.delete(name);
  }
}

function originOf(found: Found | undefined): FileNode["origin"] {
  if (found?.node.kind === "base") return found.node.path;
  return found?.node.kind === "file" ? found.node.origin : undefined;
}

function baseNode(path: string | undefined): LayerNode | undefined {
  return path === undefined ? undefined : { kind: "base", path };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
