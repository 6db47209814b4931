import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { ReferenceChange } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { type Git, openGit } from "../worktree/run-git.ts";
import { RestoreRefusal } from "./restore-changes.ts";

/** Options for restoring references. */
export interface ReferenceRestoreOptions {
  /** Environment variables of the host, used to find git. */
  readonly env: HostVariables;
  /** Top folder of the repository. */
  readonly folder: string;
  /** Branches, tags and `HEAD` that the run changed. Changes in nested repositories are not restored. */
  readonly changes: readonly ReferenceChange[];
  /** Copy of the git index before the run. `undefined` if there was no index, or the run did not change it. */
  readonly index?: string | undefined;
}

/**
 * Restores branches, tags, `HEAD` and the index of a repository to their state before a run. Those already in that
 * state, as after an interrupted undo, are skipped. Rejects with `RestoreRefusal`, without changes, if one of them was
 * changed after the run or belongs to a nested repository. Resolves with a function that reverses the restoration.
 */
export async function restoreReferences(options: ReferenceRestoreOptions): Promise<() => Promise<void>> {
  const { env, folder, changes } = options;
  const inner = changes.find((change) => change.folder !== "");
  if (inner !== undefined) throw new RestoreRefusal(`${inner.folder}: commits of inner repositories are not restored`);
  const git = await openGit(folder, { env });
  try {
    const open: ReferenceChange[] = [];
    for (const change of changes) if (!(await isRestored(git, change))) open.push(change);
    const undoIndex = await restoreIndex(git, options);
    await moveReferences(git, open).catch(async (error: unknown) => {
      await undoIndex();
      throw error;
    });
    return async () => {
      await using reopened = await openGit(folder, { env });
      await moveReferences(
        reopened,
        open.map(({ before, after, ...change }) => ({ ...change, before: after, after: before })),
      );
      await undoIndex();
    };
  } finally {
    await git[Symbol.asyncDispose]();
  }
}

/**
 * Compares a branch, tag or `HEAD` with its values before and after the run. Returns true if it has the value from
 * before, and false if it has the value from after the run. Rejects if it has any other value.
 */
async function isRestored(git: Git, { name, before, after }: ReferenceChange): Promise<boolean> {
  if (name === "index") return false;
  if (name === "refs/stash" && before !== undefined) {
    throw new RestoreRefusal("the stash had entries before the run; restore it with git stash");
  }
  const now = name === "HEAD" ? await headOf(git) : await objectIdOf(git, name);
  if (now === before) return true;
  if (now !== after) throw new RestoreRefusal(`${name} has moved since the run`);
  return false;
}

async function headOf(git: Git): Promise<string | undefined> {
  const branch = await git.run(["symbolic-ref", "-q", "HEAD"]);
  return branch.ok && branch.output !== "" ? branch.output : objectIdOf(git, "HEAD");
}

async function objectIdOf(git: Git, name: string): Promise<string | undefined> {
  const answer = await git.run(["rev-parse", "-q", "--verify", name]);
  return answer.ok && answer.output !== "" ? answer.output : undefined;
}

async function moveReferences(git: Git, changes: readonly ReferenceChange[]): Promise<void> {
  const lines = changes.flatMap(({ name, before, after }) => {
    if (!name.startsWith("refs/")) return [];
    if (before === undefined) return [`delete ${name} ${after ?? ""}`];
    return [after === undefined ? `create ${name} ${before}` : `update ${name} ${before} ${after}`];
  });
  const head = changes.find(({ name }) => name === "HEAD");
  // HEAD is restored first, so that no branch is deleted while it is checked out.
  if (head !== undefined) await moveHead(git, head.before);
  if (lines.length > 0) await runOrRefuse(git, ["update-ref", "--no-deref", "--stdin"], `${lines.join("\n")}\n`);
}

async function moveHead(git: Git, to: string | undefined): Promise<void> {
  if (to === undefined) throw new RestoreRefusal("HEAD named nothing before the run");
  const argv = to.startsWith("refs/") ? ["symbolic-ref", "HEAD", to] : ["update-ref", "--no-deref", "HEAD", to];
  await runOrRefuse(git, argv);
}

async function runOrRefuse(git: Git, argv: readonly string[], stdin?: string): Promise<string> {
  const answer = await git.run(argv, stdin);
  if (answer.ok) return answer.output;
  throw new RestoreRefusal(answer.problem.replace(/^(?:fatal|error): /, ""));
}

/**
 * Checksums of empty input: checksum and length printed by `cksum`, and the object ids that git prints. One of them is
 * recorded if the index file is missing.
 */
const EMPTY_INDEX: readonly (string | undefined)[] = [
  "4294967295 0",
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

/**
 * Replaces the git index, protected by git's own lock file. Resolves with a function that restores the replaced index.
 */
async function restoreIndex(git: Git, { changes, index }: ReferenceRestoreOptions): Promise<() => Promise<void>> {
  const change = changes.find(({ name }) => name === "index");
  if (change === undefined) return async () => undefined;
  const content = index === undefined ? undefined : await readFile(index).catch(() => undefined);
  if (content === undefined && !EMPTY_INDEX.includes(change.before)) {
    throw new RestoreRefusal("the index of before the run is not stored");
  }
  const path = await runOrRefuse(git, ["rev-parse", "--path-format=absolute", "--git-path", "index"]);
  const [lock, temporary] = [`${path}.lock`, `${path}.switchyard-undo`];
  const present = await readFile(path).catch(() => undefined);
  const replace = async (content: Uint8Array): Promise<void> => {
    await writeFile(temporary, content);
    // Replaces the index as git does: the new index is created as the lock file, and then renamed to the index.
    await link(temporary, lock).catch(async (cause: unknown) => {
      await rm(temporary, { force: true });
      throw new RestoreRefusal("the index is locked by another git command", { cause });
    });
    await rename(lock, path);
    await rm(temporary, { force: true });
  };
  const undo = async (): Promise<void> => (present === undefined ? rm(path, { force: true }) : replace(present));
  await (content === undefined ? rm(path, { force: true }) : replace(content));
  const read = await git.run(["ls-files", "--cached", "--", "."]);
  if (read.ok) return undo;
  await undo();
  throw new RestoreRefusal(`the index of before the run cannot be read: ${read.problem}`);
}
