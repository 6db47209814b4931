import type { DirectoryEntry, FileStat, ReadBytesOptions, ReadFileOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { linesOf } from "../../memory/lines-of.ts";
import { ifExists, orCurrentFolder } from "./base-folder.ts";
import { inBatches } from "./in-batches.ts";
import type { LayerNode } from "./layer-node.ts";
import { joinRelative } from "./layer-node.ts";
import type { Found, View } from "./locate.ts";
import { locate } from "./locate.ts";

/** Reads the merged files of an overlay. Errors contain the path that the caller gave. */
export class ViewFiles {
  readonly #view: () => View;
  readonly #maxReadBytes: number;

  constructor(view: () => View, { maxReadBytes }: { maxReadBytes: number }) {
    this.#view = view;
    this.#maxReadBytes = maxReadBytes;
  }

  async readText(path: string, window: ReadFileOptions): Promise<string> {
    const { node } = await this.#find(path);
    if (node.kind === "folder") throw new EngineError("environment.not_a_file", { path, found: "a folder" });
    if (node.kind === "base") return this.#ask(path, (base) => base.readFile(orCurrentFolder(node.path), window));
    if (node.bytes.includes(0)) throw new EngineError("environment.binary_file", { path });
    const lines = linesOf(node.bytes, window);
    this.#assertReadable(path, { bytes: node.bytes.length, wanted: lines.length });
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(lines);
  }

  async readBytes(path: string, window: ReadBytesOptions): Promise<Uint8Array> {
    const { node } = await this.#find(path);
    if (node.kind === "folder") throw new EngineError("environment.not_a_file", { path, found: "a folder" });
    if (node.kind === "base") return this.#ask(path, (base) => base.readBytes(orCurrentFolder(node.path), window));
    const { bytes } = node;
    const offset = Math.min(bytes.length, Math.max(0, Math.floor(window.offset ?? 0)));
    const length = Math.min(bytes.length - offset, Math.max(0, Math.floor(window.length ?? bytes.length)));
    this.#assertReadable(path, { bytes: bytes.length, wanted: length });
    return bytes.slice(offset, offset + length);
  }

  async stat(path: string): Promise<FileStat> {
    const { node } = await this.#find(path);
    if (node.kind === "file") return { kind: "file", size: node.bytes.length, modifiedMs: node.modifiedMs };
    const inBase = node.kind === "base" ? node.path : node.base;
    const modifiedMs = node.kind === "folder" ? node.modifiedMs : undefined;
    if (inBase === undefined) return { kind: "directory", size: 0, modifiedMs: modifiedMs ?? 0 };
    const found = await this.#ask(path, (base) => base.stat(orCurrentFolder(inBase)));
    return modifiedMs === undefined ? found : { ...found, modifiedMs };
  }

  async list(path: string, depth: number): Promise<DirectoryEntry[]> {
    const { kind, node } = await this.#find(path);
    if (kind !== "directory") throw new EngineError("environment.not_a_directory", { path });
    if (node.kind === "base") return this.#ask(path, (base) => base.listDirectory(orCurrentFolder(node.path), depth));
    return depth >= 1 ? this.#listInto(node, depth) : [];
  }

  /** Lists one folder of an overlay, sorted by name. Each entry is returned with its object in the overlay's tree. */
  async entriesOf(node: LayerNode): Promise<{ entry: DirectoryEntry; node: LayerNode }[]> {
    if (node.kind === "file") return [];
    const { base } = this.#view();
    const inBase = node.kind === "base" ? node.path : node.base;
    const hidden = node.kind === "folder" ? node.entries : new Map<string, LayerNode | undefined>();
    const found: { entry: DirectoryEntry; node: LayerNode }[] = [];
    for (const entry of inBase === undefined ? [] : await base.list(inBase)) {
      if (hidden.has(entry.name)) continue;
      found.push({ entry, node: { kind: "base", path: joinRelative(inBase ?? "", entry.name) } });
    }
    const changed = await inBatches([...hidden], async ([name, inner]) => this.#entryOf(name, inner));
    found.push(...changed.flatMap((one) => one ?? []));
    // Sorted by UTF-16 code units, as other environments sort their listings.
    return found.sort((one, other) => (one.entry.name < other.entry.name ? -1 : 1));
  }

  async #entryOf(name: string, node: LayerNode | undefined): Promise<{ entry: DirectoryEntry; node: LayerNode }[]> {
    if (node === undefined) return [];
    if (node.kind === "file") return [{ entry: { name, kind: "file", size: node.bytes.length }, node }];
    if (node.kind === "folder") return [{ entry: { name, kind: "directory" }, node }];
    const { base } = this.#view();
    const kind = await base.kindOf(node.path);
    if (kind === undefined) return [];
    if (kind !== "file") return [{ entry: { name, kind }, node }];
    const found = await base.statIfExists(node.path);
    return found === undefined ? [] : [{ entry: { name, kind, size: found.size }, node }];
  }

  async #listInto(node: LayerNode, depth: number): Promise<DirectoryEntry[]> {
    const entries: DirectoryEntry[] = [];
    for (const { entry, node: inner } of await this.entriesOf(node)) {
      entries.push(entry);
      if (entry.kind !== "directory" || depth < 2) continue;
      for (const below of await this.#listBelow(inner, depth - 1)) {
        entries.push({ ...below, name: `${entry.name}/${below.name}` });
      }
    }
    return entries;
  }

  /** Lists a subfolder. An unreadable subfolder is listed as empty. */
  async #listBelow(node: LayerNode, depth: number): Promise<DirectoryEntry[]> {
    const { base } = this.#view();
    try {
      if (node.kind !== "base") return await this.#listInto(node, depth);
      return (await ifExists(base.environment.listDirectory(node.path, depth))) ?? [];
    } catch (error) {
      if (EngineError.is(error, "environment.permission_denied")) return [];
      throw error;
    }
  }

  /** Finds the entry at a path, following symbolic links. */
  async #find(path: string): Promise<Found> {
    const { found } = await locate(this.#view(), path, { followLast: true });
    if (found === undefined) throw new EngineError("environment.file_not_found", { path });
    return found;
  }

  /** Sends a request to the base environment. Errors contain the path that the caller gave. */
  async #ask<T>(path: string, ask: (base: View["base"]["environment"]) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#view().base.environment);
    } catch (error) {
      if (!EngineError.is(error) || !("path" in error.details)) throw error;
      throw new EngineError(error.code, { ...error.details, path }, { cause: error });
    }
  }

  #assertReadable(path: string, { bytes, wanted }: { bytes: number; wanted: number }): void {
    if (wanted <= this.#maxReadBytes) return;
    throw new EngineError("environment.file_too_large", { path, bytes, maxBytes: this.#maxReadBytes });
  }
}
