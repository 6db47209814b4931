import { open } from "node:fs/promises";
import { join } from "node:path";
import type { HostVariables } from "@switchyard/environment";
import { type Git, openGit } from "./run-git.ts";

/** Options for preparing the files of a new worktree. */
export interface InitialiseOptions {
  /** Environment variables of the host, used to find git. */
  readonly env: HostVariables;
  /** Folder of the worktree. */
  readonly folder: string;
  /** Workspace for which the worktree was created. */
  readonly workspace: string;
  /** True to check out submodules. */
  readonly worktreeSubmodules: boolean;
}

/** Maximum number of file names in a sentence. Further names are only counted. */
const MAX_NAMES = 5;
/** Maximum number of files that are checked for Git LFS pointers. Further files are not checked. */
const MAX_POINTERS = 1_000;
const LFS_POINTER = "version https://git-lfs.github.com/spec/";

/**
 * Returns how a worktree differs from the last commit or the workspace, for example by empty submodules, by files whose
 * filters were not executed, or by files that a sparse checkout excludes. Checks out submodules if requested, from the
 * workspace's repositories. Nothing is fetched, and nothing configured by a repository is executed.
 */
export async function initialiseWorktree(options: InitialiseOptions): Promise<readonly string[]> {
  const { env, folder, workspace, worktreeSubmodules } = options;
  await using git = await openGit(folder, { env, readsRepositories: worktreeSubmodules });
  const listed = await git.run(["ls-files", "-z", "-t", "--stage"]);
  if (!listed.ok) return [];
  const entries = listed.output.split("\0").flatMap(parseEntry);
  const modules = entries.filter(({ mode }) => mode === "160000").map(({ path }) => path);
  const empty: string[] = [];
  for (const path of modules) {
    const isDone = worktreeSubmodules && (await checkOutModule(git, { path, folder, workspace, env }));
    if (!isDone) empty.push(path);
  }
  const skipped = entries.filter(({ tag, mode }) => tag === "S" && mode !== "160000").length;
  const stored = await findStored(git, folder, entries);
  const hint = worktreeSubmodules ? "the workspace has no repository of them" : "--worktree-submodules checks them out";
  return [
    ...(empty.length === 0 ? [] : [`submodules are empty in the worktree (${nameSome(empty)}); ${hint}.`]),
    ...(stored.length === 0
      ? []
      : [
          `files behind a filter have their stored content in the worktree, for example LFS pointers (${nameSome(stored)}).`,
        ]),
    ...(skipped === 0 ? [] : [`the checkout is sparse: ${skipped} files of the last commit are not in the worktree.`]),
  ];
}

interface Entry {
  readonly tag: string;
  readonly mode: string;
  readonly path: string;
}

function parseEntry(line: string): Entry[] {
  const [, tag, mode, path] = /^(\S) (\d{6}) \S+ \d\t(.*)$/s.exec(line) ?? [];
  return tag === undefined || mode === undefined || path === undefined ? [] : [{ tag, mode, path }];
}

function nameSome(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMES).map((path) => JSON.stringify(path).slice(1, -1));
  const rest = paths.length - named.length;
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${rest} more`;
}

/**
 * Returns the files of the worktree to which a filter of `.gitattributes` applies. The filter was not executed, so
 * these files contain the bytes stored in the object database.
 */
async function findStored(git: Git, folder: string, entries: readonly Entry[]): Promise<readonly string[]> {
  if (!entries.some(({ path }) => path === ".gitattributes" || path.endsWith("/.gitattributes"))) return [];
  const files = entries.filter(({ tag, mode }) => tag !== "S" && mode.startsWith("100")).map(({ path }) => path);
  const attributes = await git.run(
    ["check-attr", "-z", "--stdin", "filter"],
    files.map((path) => `${path}\0`).join(""),
  );
  if (!attributes.ok) return [];
  const fields = attributes.output.split("\0");
  const stored: string[] = [];
  let looks = 0;
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", , filter = ""] = fields.slice(at, at + 3);
    if (filter === "unspecified" || filter === "unset" || filter === "set") continue;
    const isOff = git.disabledFilters.includes(filter);
    if (isOff || (looks++ < MAX_POINTERS && (await isPointer(join(folder, path))))) stored.push(path);
  }
  return stored;
}

async function isPointer(path: string): Promise<boolean> {
  try {
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LFS_POINTER.length), 0, LFS_POINTER.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === LFS_POINTER;
  } catch {
    return false;
  }
}

/** Clones a submodule from the workspace's submodule, and checks out the commit that the worktree records for it. */
async function checkOutModule(
  git: Git,
  { path, folder, workspace, env }: Omit<InitialiseOptions, "worktreeSubmodules"> & { readonly path: string },
): Promise<boolean> {
  const top = await topOf(workspace, env);
  if (top === undefined) return false;
  const commit = await git.run(["rev-parse", "--verify", `:${path}`]);
  if (!commit.ok) return false;
  const clone = ["clone", "--quiet", "--no-checkout", "--local", "--no-recurse-submodules", "--template="];
  const source = join(top, path);
  // Without a repository in the submodule folder, git would use that of a parent folder: the workspace's repository.
  const prefix = await git.run(["-C", source, "rev-parse", "--show-prefix"]);
  if (!prefix.ok || prefix.output !== "") return false;
  const cloned = await git.run([...clone, "--", source, join(folder, path)]);
  if (!cloned.ok) return false;
  await using inside = await openGit(join(folder, path), { env });
  const checkedOut = await inside.run(["checkout", "--quiet", "--detach", "--no-recurse-submodules", commit.output]);
  return checkedOut.ok;
}

async function topOf(workspace: string, env: HostVariables): Promise<string | undefined> {
  await using git = await openGit(workspace, { env });
  const top = await git.run(["rev-parse", "--show-toplevel"]);
  return top.ok ? top.output : undefined;
}
