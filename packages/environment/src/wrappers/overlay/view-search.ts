import type { GlobOptions, GrepOptions, GrepResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { globTree } from "../../search/glob-tree.ts";
import { grepTree } from "../../search/grep-tree.ts";
import type { SearchTree, TreeEntry, TreeFile } from "../../search/search-tree.ts";
import { sortNewestFirst } from "../../search/sort-newest-first.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import { orCurrentFolder } from "./base-folder.ts";
import { inBatches } from "./in-batches.ts";
import type { LayerNode } from "./layer-node.ts";
import { joinRelative } from "./layer-node.ts";
import type { View } from "./locate.ts";
import { locate } from "./locate.ts";
import type { ViewFiles } from "./view-files.ts";

const PIECE_BYTES = 1024 * 1024;
const DEFAULT_MAX_FILES = 1000;

/** The merged files of an overlay, as input of a search. */
export interface SearchedView {
  readonly view: () => View;
  readonly files: ViewFiles;
}

/** Searches the merged files of an overlay. */
export function grepView(searched: SearchedView, pattern: string, options: GrepOptions): Promise<GrepResult> {
  return grepTree(toSearchTree(searched), pattern, options);
}

/**
 * Returns the files of an overlay that match a glob pattern, most recently modified first. Modification times are
 * requested from the base environment only for matching files.
 */
export async function globView(searched: SearchedView, pattern: string, options: GlobOptions): Promise<string[]> {
  const all = { ...options, maxResults: Number.POSITIVE_INFINITY };
  const paths = await globTree(toSearchTree(searched), pattern, all);
  const aged = await inBatches(paths, async (path) => {
    options.signal?.throwIfAborted();
    try {
      const { modifiedMs } = await searched.files.stat(path);
      return [{ path, modifiedMs }];
    } catch (error) {
      if (EngineError.is(error)) return [];
      throw error;
    }
  });
  const sorted = await sortNewestFirst(aged.flat(), createTimeSlicer(options.signal));
  return sorted.slice(0, options.maxResults ?? DEFAULT_MAX_FILES);
}

function toSearchTree({ view, files }: SearchedView): SearchTree {
  return {
    root: { real: view().base.environment.workingDirectory },
    stat: (path) => files.stat(orCurrentFolder(path)),
    async *list(folder, { skip, signal }) {
      const { found } = await locate(view(), orCurrentFolder(folder), { followLast: true });
      if (found === undefined) throw new EngineError("environment.file_not_found", { path: folder });
      yield* listFolders(files, [{ path: "", node: found.node }], { skip, signal });
    },
    read: (paths) => readFiles(files, paths),
  };
}

async function* listFolders(
  files: ViewFiles,
  todo: { path: string; node: LayerNode }[],
  { skip, signal }: { skip: ReadonlySet<string>; signal: AbortSignal | undefined },
): AsyncGenerator<TreeEntry[]> {
  for (let folder = todo.pop(); folder !== undefined; folder = todo.pop()) {
    signal?.throwIfAborted();
    const portion: TreeEntry[] = [];
    for (const { entry, node } of await entriesOrNone(files, folder)) {
      if (skip.has(entry.name)) continue;
      const path = joinRelative(folder.path, entry.name);
      portion.push({ path, kind: entry.kind, size: entry.size ?? 0, modifiedMs: 0 });
      if (entry.kind === "directory") todo.push({ path, node });
    }
    yield portion;
  }
}

/** Lists a folder. The requested folder must be readable; unreadable folders below it count as empty. */
async function entriesOrNone(
  files: ViewFiles,
  { path, node }: { path: string; node: LayerNode },
): Promise<Awaited<ReturnType<ViewFiles["entriesOf"]>>> {
  try {
    return await files.entriesOf(node);
  } catch (error) {
    if (path !== "" && EngineError.is(error)) return [];
    throw error;
  }
}

async function* readFiles(files: ViewFiles, paths: readonly string[]): AsyncGenerator<TreeFile> {
  for (const path of paths) {
    const first = await readPiece(files, path, 0);
    if (first === undefined) continue;
    yield { path, content: first.length < PIECE_BYTES ? [first] : readPieces(files, path, first) };
  }
}

async function* readPieces(files: ViewFiles, path: string, first: Uint8Array): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array | undefined = first;
  for (let at = 0; piece !== undefined && piece.length > 0; piece = await readPiece(files, path, at)) {
    yield piece;
    at += piece.length;
    if (piece.length < PIECE_BYTES) return;
  }
}

/** Reads a chunk of a file. `undefined` if the file is unreadable, because a search skips such files. */
async function readPiece(files: ViewFiles, path: string, offset: number): Promise<Uint8Array | undefined> {
  try {
    return await files.readBytes(path, { offset, length: PIECE_BYTES });
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}
