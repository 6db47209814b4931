import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { SearchTree, TreeEntry } from "@switchyard/environment";

/** A folder of this machine as a tree, listed and read in the simplest way there is. */
export function createDiskTree(root: string): SearchTree {
  const kindOf = (stats: ReturnType<typeof lstatSync>): TreeEntry["kind"] => {
    if (stats?.isSymbolicLink() === true) return "symlink";
    if (stats?.isDirectory() === true) return "directory";
    return stats?.isFile() === true ? "file" : "other";
  };
  return {
    root: { real: realpathSync(root) },
    async stat(path) {
      const found = statOrRefuse(join(root, path));
      if (found === undefined) throw new EngineError("environment.file_not_found", { path });
      if (!`${realpathSync(join(root, path))}/`.startsWith(`${realpathSync(root)}/`)) {
        throw new EngineError("environment.path_outside_workspace", { path, root });
      }
      return { kind: kindOf(found), size: found.size, modifiedMs: found.mtimeMs };
    },
    async *list(folder) {
      // Entries are neither sorted nor filtered.
      const open = [""];
      for (let inside = open.pop(); inside !== undefined; inside = open.pop()) {
        for (const name of readdirSync(join(root, folder, inside)).reverse()) {
          const path = join(inside, name);
          const found = lstatSync(join(root, folder, path));
          if (found.isDirectory()) open.push(path);
          yield [{ path, kind: kindOf(found), size: found.size, modifiedMs: found.mtimeMs }];
        }
      }
    },
    async *read(paths) {
      for (const path of paths) {
        if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true) continue;
        const bytes = readFileSync(join(root, path));
        // Chunks of an odd size in one reused buffer.
        const piece = new Uint8Array(7);
        const pieces = function* (): Generator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += piece.length) {
            const length = bytes.copy(piece, 0, at, at + piece.length);
            yield piece.subarray(0, length);
          }
        };
        yield { path, content: pieces() };
      }
    },
  };
}

function statOrRefuse(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new EngineError("environment.invalid_path", { path, problem: "its links form a cycle" }, { cause: error });
  }
}
