import { randomBytes } from "node:crypto";
import type { SearchTree, TreeEntry, TreeFile } from "../../search/search-tree.ts";
import { parseRemoteEntries } from "../file/list-remote-folder.ts";
import type { RemoteFiles } from "../file/remote-files.ts";
import { dataOf } from "../file/remote-files.ts";
import { statRemoteEntry } from "../file/stat-remote-entry.ts";
import { toBatches } from "./to-batches.ts";

/** Maximum number of files whose content one request reads. */
const MAX_BATCH = 50;
/** Maximum number of batches that are read concurrently. It equals the number of remote shells for file requests. */
const BATCHES_AHEAD = 4;
/** Byte that the script prints before the content of a readable file. */
const READABLE = 0x2b;

/** Creates the access to remote files for searches that run without ripgrep. */
export function createRemoteTree(files: RemoteFiles): SearchTree {
  const absolute = (path: string): string => (path === "" ? files.workspace.real : `${files.workspace.real}/${path}`);
  return {
    root: files.workspace,
    stat: (path) => statRemoteEntry(files, path === "" ? "." : path),
    async *list(folder, { skip, signal }): AsyncGenerator<readonly TreeEntry[]> {
      signal?.throwIfAborted();
      const tag = randomBytes(16).toString("hex");
      const response = await files.request({ operation: "tree", args: [absolute(folder), tag, ...skip] });
      signal?.throwIfAborted();
      yield parseRemoteEntries(dataOf(response, files, { operation: "search", path: folder }), tag);
    },
    async *read(paths, signal): AsyncGenerator<TreeFile> {
      const ahead: Promise<readonly TreeFile[]>[] = [];
      const batches = toBatches(paths, MAX_BATCH);
      for (;;) {
        for (let next = ahead.length; next < BATCHES_AHEAD; next += 1) {
          const batch = batches.next();
          if (batch.done === true) break;
          const reading = readBatch(files, batch.value, absolute);
          // Avoids an unhandled rejection: a batch may fail before its result is awaited.
          reading.catch(() => {});
          ahead.push(reading);
        }
        const first = ahead.shift();
        if (first === undefined) return;
        const found = await first;
        signal?.throwIfAborted();
        yield* found;
      }
    },
  };
}

async function readBatch(
  files: RemoteFiles,
  paths: readonly string[],
  absolute: (path: string) => string,
): Promise<readonly TreeFile[]> {
  const found: TreeFile[] = [];
  const tag = randomBytes(16).toString("hex");
  const response = await files.request({ operation: "many", args: [tag, ...paths.map(absolute)] });
  const data = dataOf(response, files, { operation: "search", path: paths[0] ?? "" });
  let at = data.indexOf(tag);
  for (const path of paths) {
    const start = at + tag.length;
    const next = data.indexOf(tag, start);
    const content = data.subarray(start, next < 0 ? data.length : next);
    if (content[0] === READABLE) found.push({ path, content: [content.subarray(1)] });
    at = next;
  }
  return found;
}
