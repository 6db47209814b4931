import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import { removeLockFolder, withNameLock } from "./name-lock.ts";
import { makePlaceholder, removePlaceholder } from "./placeholder.ts";

/** Maintains placeholders in a workspace while commands need them. */
export interface PlaceholderRegistry {
  /**
   * Plans a command and creates placeholders for the missing paths of its plan. They exist until every `hold` is
   * released, by this and all other processes that have the workspace open.
   */
  hold<T extends { readonly missing: readonly string[] }>(plan: () => T): Promise<T>;
  /** Records that one command has ended. Never rejects. */
  release(): Promise<void>;
  /** Removes placeholders left by dead processes, including the given paths. */
  sweep(also: readonly string[]): Promise<void>;
  /** Removes the folder of lists, unless another process has a list in it. Never rejects. */
  close(): Promise<void>;
}

/**
 * Creates the placeholder registry of an environment. Placeholders exist in the user's workspace only while a command
 * runs. Each environment lists the placeholders it needs in a folder shared by all processes of the user for that
 * workspace. The last living process to release them removes them. After a crash, the next sandbox finds the list, or
 * after a reboot the mark of the placeholders, and removes them.
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
        // Written before the placeholders: after a crash, one that is not listed would never be removed.
        if (running === 0 || needed.size > before) writeFileSync(list, JSON.stringify([...needed]));
        running += 1;
        return { ...planned, missing: planned.missing.filter(makePlaceholder) };
      }),
    async release() {
      running -= 1;
      if (running > 0) return;
      // A command may have started while waiting for the lock.
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

/** Removes placeholders that only dead processes and finished commands listed, if no living process needs them. */
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
    // Not created, because no command has run.
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
