import type { FileChange } from "./parse-diff.ts";

/** Folder or file in the tree of changed files. */
export interface TreeNode {
  /** Name below the parent. Chains of folders with one child are joined, such as `src/http`. */
  readonly name: string;
  readonly children: readonly TreeNode[];
  /** The changed file; `undefined` for a folder. */
  readonly file?: FileChange | undefined;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: FileChange[];
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [] };
}

function byName(left: TreeNode, right: TreeNode): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

function nodesIn({ folders, files }: Folder): TreeNode[] {
  const inside = [...folders].map(([name, folder]) => joined({ name, children: nodesIn(folder) })).sort(byName);
  const nodes = files.map((file): TreeNode => ({ name: file.path.split("/").at(-1) ?? "", children: [], file }));
  return [...inside, ...nodes.sort(byName)];
}

function joined(folder: TreeNode): TreeNode {
  const [only, ...others] = folder.children;
  if (only === undefined || others.length > 0 || only.file !== undefined) return folder;
  return { name: `${folder.name}/${only.name}`, children: only.children };
}

/** Returns changed files as a tree: folders first, both in alphabetical order. */
export function fileTree(files: readonly FileChange[]): readonly TreeNode[] {
  const root = emptyFolder();
  for (const file of files) {
    let folder = root;
    for (const name of file.path.split("/").slice(0, -1)) {
      const inside = folder.folders.get(name) ?? emptyFolder();
      folder.folders.set(name, inside);
      folder = inside;
    }
    folder.files.push(file);
  }
  return nodesIn(root);
}
