import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import { removeLockFolder, withNameLock } from "./name-lock.ts";
import { makePlaceholder, removePlaceholder } from "./placeholder.ts";

/**
 * Creates and removes placeholders: empty folders in the workspace for protected paths that do not exist. While a
 * command runs, a read-only folder is mounted over each of them.
 */
export interface PlaceholderRegistry {
  /**
   * Calls `plan` for a command and creates placeholders (empty folders) for the paths that `plan` returns as `missing`.
   * The placeholders exist until no running command of any process needs them.
   */
  hold<T extends { readonly missing: readonly string[] }>(plan: () => T): Promise<T>;
  /**
   * Called when one command has ended. Removes placeholders (empty folders) that no running command needs. Never
   * rejects.
   */
  release(): Promise<void>;
  /**
   * Removes placeholders (empty folders) that dead processes left behind: the placeholders in the lists of these
   * processes, and those at the paths `also`. If a living process has a list, they are removed later instead.
   */
  sweep(also: readonly string[]): Promise<void>;
  /**
   * Removes the folder in which processes list their placeholders, unless another process still has a list there. Never
   * rejects.
   */
  close(): Promise<void>;
}

/**
 * Creates the placeholder registry of an environment. A placeholder is an empty folder that serves as a mount point for
 * a protected path that does not exist. Placeholders exist in the user's workspace only while a command runs. Each
 * environment lists the placeholders it needs in a folder shared by all processes of the user for that workspace. A
 * placeholder is removed when no living process needs it. After a crash, the next sandbox removes listed placeholders.
 * After a reboot, which removes the lists, it recognises placeholders by their modification time.
 */
export function createPlaceholderRegistry(state: string, root: string): PlaceholderRegistry {
  const folder = join(state, `workspace.${createHash("sha256").update(root).digest("hex").slice(0, 32)}`);
  const owner = createProcessOwner();
  const list = join(folder, `user.${owner.token}.${randomBytes(6).toString("hex")}`);
  const needed = new Set<string>();
  let running = 0;
  const settle = (): void => {
    renameList(list, join(folder, `left.${randomBytes(6).toString("hex")}`));
    removeUnneeded(folder, owner);
    needed.clear();
  };
  return {
    hold: (plan) =>
      withNameLock(folder, owner, () => {
        const planned = plan();
        const before = needed.size;
        for (const path of planned.missing) needed.add(path);
        // The list is written first: a placeholder that is in no list after a crash would never be removed.
        if (running === 0 || needed.size > before) writeFileSync(list, JSON.stringify([...needed]));
        running += 1;
        return { ...planned, missing: planned.missing.filter(makePlaceholder) };
      }),
    async release() {
      running -= 1;
      if (running > 0) return;
      // Another command may have started while this function waited for the lock.
      await withNameLock(folder, owner, () => void (running === 0 && settle())).catch(() => {});
    },
    sweep: (also) =>
      withNameLock(folder, owner, () => {
        writeFileSync(join(folder, `left.${randomBytes(6).toString("hex")}`), JSON.stringify(also));
        removeUnneeded(folder, owner);
      }),
    close: () => withNameLock(folder, owner, () => removeIfUnused(folder)).catch(() => {}),
  };
}

function removeIfUnused(folder: string): void {
  if (!readdirSync(folder).some(isList)) removeLockFolder(folder);
}

const isList = (name: string): boolean => /^(user|left)\./.test(name);

/** Removes the placeholders in all lists, unless a list belongs to a process that is still running. */
function removeUnneeded(folder: string, owner: Owner): void {
  const lists = readdirSync(folder).filter(isList);
  if (lists.some((name) => name.startsWith("user.") && owner.livenessOf(name.split(".")[1] ?? "") !== "dead")) return;
  for (const name of lists) {
    for (const path of readPaths(join(folder, name))) removePlaceholder(path);
    rmSync(join(folder, name), { force: true });
  }
}

function renameList(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // The folder with the lists does not exist, because no command has run yet.
  }
}

function readPaths(file: string): string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}
