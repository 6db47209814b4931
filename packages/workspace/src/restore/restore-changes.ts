import { chmod, mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HostVariables } from "@switchyard/environment";
import { type ModeChange, NO_RECORD, type UndoRecord } from "../diff/undo-record.ts";
import { BYTES_ONLY } from "../snapshot/create-shadow.ts";
import { type Git, type GitInput, openGit } from "../worktree/run-git.ts";
import { type BytePath, fromBytePath, joinBytes, lstatPath, toBytePath, unquotePath } from "./byte-path.ts";
import { type FileSwap, finishSwap, swapFiles } from "./swap-files.ts";

/** Options for reverting changes. */
export interface RestoreOptions {
  /** Environment variables of the host, used to find git. */
  readonly env: HostVariables;
  /** Absolute path of the folder that the patch is relative to. */
  readonly folder: string;
  /** Path of the workspace relative to `folder`. Empty if they are the same. */
  readonly prefix: string;
  /** Patch with the exact changes of the run. */
  readonly patch: GitInput;
  /** Changes that the patch does not contain. */
  readonly record?: UndoRecord | undefined;
  /**
   * Folder outside `folder` that stores the state of this undo. If the undo is interrupted, it is completed from this
   * state.
   */
  readonly aside: string;
  /**
   * Start of the run, in milliseconds since 1970. Used only if `record` is missing: empty folders created before this
   * time are not removed.
   */
  readonly since?: number | undefined;
  /** Id of the run. Names of temporary files contain it. */
  readonly runId: string;
  /** True to check whether the changes can be reverted, without reverting them. */
  readonly isDryRun?: boolean | undefined;
  /**
   * Called before the first file is restored, after it was checked that all files can be restored. If the callback
   * rejects, nothing is changed. Called again when an interrupted undo is completed.
   */
  readonly beforeSwap?: (() => Promise<void>) | undefined;
  /**
   * Called when all changes have been reverted. Until the callback resolves, the folder `aside` shows that an undo is in
   * progress. So if the callback rejects, or the process exits during the call, the next `restoreChanges` with the same
   * `aside` calls it again.
   */
  readonly onRestored?: (() => Promise<void>) | undefined;
}

/** Error that explains why changes cannot be reverted. No file was changed. */
export class RestoreRefusal extends Error {
  /** `RestoreRefusal`. */
  override readonly name: string = "RestoreRefusal";
}

/**
 * Reverts a run's changes in a folder: contents, permissions, links and folders. Later edits in other parts of the same
 * files are preserved. Rejects with `RestoreRefusal`, or with a file system error. After a rejection, no file is
 * changed. The only exception: if all files were restored and only folders remained, the next call with the same
 * `aside` restores these folders.
 */
export async function restoreChanges(options: RestoreOptions): Promise<void> {
  const { folder, runId, aside, record = NO_RECORD } = options;
  const created = options.record === undefined ? undefined : new Set(record.made.map((path) => inTop(options, path)));
  const swap: FileSwap = {
    ...{ root: folder, aside: join(aside, "files"), spare: join(folder, `.switchyard-undo-${runId}`) },
    isRemovable: (path, birthtimeMs) => created?.has(path) ?? !(birthtimeMs > 0 && birthtimeMs < (options.since ?? 0)),
    onSwapped: async () => {
      await restoreFolders(options, record);
      await options.onRestored?.();
    },
  };
  const onSwapped = async (): Promise<void> => {
    await options.beforeSwap?.();
    await swap.onSwapped?.();
  };
  const isFinished = options.isDryRun !== true && (await finishSwap({ ...swap, onSwapped }));
  if (!isFinished) await applyReversed(options, swap);
  await rm(aside, { recursive: true, force: true });
}

async function applyReversed(options: RestoreOptions, swap: FileSwap): Promise<void> {
  const { patch, record = NO_RECORD } = options;
  const repository = join(options.aside, "apply.git");
  await rm(options.aside, { recursive: true, force: true });
  await mkdir(options.aside, { recursive: true, mode: 0o700 });
  try {
    const names = patch.length === 0 ? [] : await namesIn(options, repository);
    const modes = new Map(record.modes.map((mode) => [inTop(options, mode.path), mode]));
    const only = await changedModes(options, modes, new Set(names));
    await swapFiles(swap, [...names, ...only.map(({ path }) => path)], async (copies) => {
      const before = join(swap.aside, "before");
      if (patch.length > 0) {
        await using git = await openScratch(options.env, copies, repository);
        await runApply(git, patch, []);
      }
      const setsModes = modes.size === 0 && Buffer.from(patch).includes("\nold mode ");
      for (const path of names) await restoreMode({ before, copies, setsModes }, path, modes.get(path));
      for (const { path, mode } of only) await chmod(joinBytes(copies, path), mode);
      if (options.isDryRun === true) throw new DryRun();
      await options.beforeSwap?.();
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  } finally {
    await rm(repository, { recursive: true, force: true });
    await rmdir(options.aside).catch(() => undefined);
  }
}

/** Error that ends a check without changing files. It is thrown before the first file is replaced. */
class DryRun extends Error {}

function inTop({ prefix }: RestoreOptions, path: BytePath): BytePath {
  if (path === ".") return prefix === "" ? path : toBytePath(prefix);
  return prefix === "" ? path : `${toBytePath(prefix)}/${path}`;
}

/**
 * Opens git in a folder that contains copies of files, with a separate repository. `.gitattributes` files among the
 * copies have no effect, so git converts no contents.
 */
async function openScratch(env: HostVariables, folder: string, repository: string): Promise<Git> {
  return openGit(folder, { env, isRaw: true, gitDirectory: repository });
}

async function namesIn({ env, patch, aside }: RestoreOptions, repository: string): Promise<BytePath[]> {
  await mkdir(join(repository, "info"), { recursive: true, mode: 0o700 });
  await mkdir(join(repository, "objects"));
  await mkdir(join(repository, "refs"));
  await writeFile(join(repository, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(repository, "info/attributes"), BYTES_ONLY);
  await using git = await openScratch(env, aside, repository);
  // For a renamed file, git lists only the resulting name. So the names for both directions of the patch are combined.
  const outputs = await Promise.all([
    runApply(git, patch, ["--numstat"]),
    runApply(git, patch, ["--no-reverse", "--numstat"]),
  ]);
  const lines = outputs.flatMap((output) => output.split("\n"));
  return [...new Set(lines.map((line) => unquotePath(line.replace(/^[^\t]*\t[^\t]*\t/, ""))))].filter(
    (path) => path !== "",
  );
}

async function runApply(git: Git, patch: GitInput, more: readonly string[]): Promise<string> {
  // Names such as `git~1` are ordinary names on Linux.
  const anyName = ["-c", "core.protectNTFS=false", "-c", "core.protectHFS=false"];
  const answer = await git.run([...anyName, "apply", "--reverse", "--whitespace=nowarn", ...more], patch);
  if (!answer.ok) throw new RestoreRefusal(answer.problem.replace(/^error: /, ""));
  return answer.output;
}

/**
 * Sets the permissions of a restored file. Git stores only whether a file is executable; the other permission bits are
 * those from before.
 */
async function restoreMode(
  { before, copies, setsModes }: { before: string; copies: string; setsModes: boolean },
  path: BytePath,
  known: ModeChange | undefined,
): Promise<void> {
  const [now, then] = [await lstatPath(copies, path), await lstatPath(before, path)];
  if (now?.isFile() !== true) return;
  const isRunnable = (now.mode & 0o100) !== 0;
  const found = then?.isFile() === true ? then.mode & 0o7777 : undefined;
  // If the run left the permissions unchanged, a later change was made by the user.
  const isKept = known === undefined ? !setsModes : known.before === known.after;
  if (found !== undefined && isKept) {
    await chmod(joinBytes(copies, path), found);
    return;
  }
  const isUnchanged = found === known?.after;
  const mode = known !== undefined && isUnchanged ? known.before : (found ?? (isRunnable ? 0o755 : 0o644));
  const isSame = ((mode & 0o100) !== 0) === isRunnable;
  await chmod(joinBytes(copies, path), isSame ? mode : isRunnable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}

/** Returns the files whose permissions the run changed in a way that git does not store. */
async function changedModes(
  { folder }: RestoreOptions,
  modes: ReadonlyMap<BytePath, ModeChange>,
  inPatch: ReadonlySet<BytePath>,
): Promise<{ path: BytePath; mode: number }[]> {
  const changed: { path: BytePath; mode: number }[] = [];
  for (const [path, { before, after }] of modes) {
    if (after === undefined || after === before || inPatch.has(path)) continue;
    const found = await lstatPath(folder, path);
    const now = found?.isFile() === true ? found.mode & 0o7777 : undefined;
    if (now === before) continue;
    if (now !== after) throw new RestoreRefusal(`${fromBytePath(path)}: its permissions have changed since`);
    changed.push({ path, mode: before });
  }
  return changed;
}

/**
 * Restores what git does not store: empty folders and permissions of folders. Folders that cannot be restored are left
 * unchanged.
 */
async function restoreFolders(options: RestoreOptions, { folders, made }: UndoRecord): Promise<void> {
  const deepestFirst = [...made].sort((a, b) => b.length - a.length);
  for (const path of deepestFirst) {
    const pathInTop = inTop(options, path);
    if ((await lstatPath(options.folder, pathInTop))?.isDirectory() !== true) continue;
    await rmdir(joinBytes(options.folder, pathInTop)).catch(() => undefined);
  }
  for (const { path } of [...folders].sort((a, b) => a.path.length - b.path.length)) {
    const pathInTop = inTop(options, path);
    const absolute = joinBytes(options.folder, pathInTop);
    if ((await lstatPath(options.folder, pathInTop)) === undefined) await mkdir(absolute).catch(() => undefined);
  }
  for (const { path, before } of folders) {
    const pathInTop = inTop(options, path);
    if ((await lstatPath(options.folder, pathInTop))?.isDirectory() === true)
      await chmod(joinBytes(options.folder, pathInTop), before);
  }
}
