import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import { removeLockFolder, withNameLock } from "./name-lock.ts";
import { makePlaceholder, removePlaceholder } from "./placeholder.ts";

/** Keeps placeholders in a workspace while commands need them. */
export interface PlaceholderRegistry {
  /**
   * Plans a command and puts placeholders where its plan says that something is missing. They stay until as many
   * `release` calls were made, here and in all other processes that have this workspace open.
   */
  hold<T extends { readonly missing: readonly string[] }>(plan: () => T): Promise<T>;
  /** Says that one command has ended. Rejects for nothing. */
  release(): Promise<void>;
  /** Removes what processes that died have left of placeholders, `also` these. */
  sweep(also: readonly string[]): Promise<void>;
  /** Removes the folder of lists, unless somebody else has one in it. Rejects for nothing. */
  close(): Promise<void>;
}

/**
 * Makes the keeper of one environment. Placeholders lie in the user's workspace, so they are there only while a command
 * runs. Each environment keeps a list of those it needs in a folder that all processes of the user share for that
 * workspace: whoever releases last, the living counted, removes them. After a crash the next sandbox of that workspace
 * does so: it finds the list, or after a restart of the machine the mark of the placeholders.
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
        // Before they are made: what is not on the list, nobody removes after a crash.
        if (running === 0 || needed.size > before) writeFileSync(list, JSON.stringify([...needed]));
        running += 1;
        return { ...planned, missing: planned.missing.filter(makePlaceholder) };
      }),
    async release() {
      running -= 1;
      if (running > 0) return;
      // A command may have begun while the lock was waited for.
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

/** Removes what only dead processes and finished commands are on record for, when nobody living is. */
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
    // It was not made: no command has run.
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
