import { copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ENGINE_FILES, messageOf, type SessionReport } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import {
  isTrivial,
  toUndoFile,
  type UndoRecord,
  type WorkspaceChanges,
  type WorkspaceSnapshot,
} from "@switchyard/workspace";
import { FILE_MODE, RUN_FILES } from "../run-files/run-files.ts";
import type { RunningSession } from "../session/running-session.ts";

/** Report fields that describe the run's changes. */
export type StoredChanges = Pick<
  SessionReport,
  "workspaceDiff" | "workspacePatch" | "workspaceLeftOut" | "workspaceReferences"
>;

/** Stores the run's changes in its folder, and returns the corresponding report fields. Failures become warnings. */
export async function storeChanges(
  session: RunningSession,
  snapshot: WorkspaceSnapshot | undefined,
): Promise<StoredChanges> {
  try {
    const changes = await snapshot?.changes(ownFilesOf(session.plan));
    return changes === undefined ? {} : { ...(await writeChanges(session, changes)), ...toFields(changes.record) };
  } catch (error) {
    await session.events.warn(
      "workspace_diff",
      `The changes to the workspace are not in the report: ${messageOf(error)}`,
    );
    return {};
  }
}

function toFields({ leftOut, repositories }: UndoRecord): StoredChanges {
  return {
    ...(leftOut.length === 0 ? {} : { workspaceLeftOut: [...leftOut] }),
    ...(repositories.length === 0 ? {} : { workspaceReferences: [...repositories] }),
  };
}

/**
 * Maximum size of the byte-exact changes that are stored in addition to the report, in bytes. Larger changes are not
 * stored byte for byte.
 */
const MAX_EXACT_BYTES = 64 * 1024 * 1024;
/** Maximum number of files that a warning names. Further ones are only counted. */
const MAX_NAMED = 5;

async function writeChanges(session: RunningSession, changes: WorkspaceChanges): Promise<StoredChanges> {
  const { plan, writer } = session;
  const { diff: workspaceDiff, exact, index, record } = changes;
  await warnAbout(session, record);
  if (plan.location.isTemporary && workspaceDiff !== "") {
    const workspacePatch = join(writer.folder, RUN_FILES.changes);
    await writeFile(workspacePatch, plan.masker.mask(workspaceDiff), { mode: FILE_MODE });
    return { workspaceDiff, workspacePatch };
  }
  const exactPath = join(writer.folder, RUN_FILES.exactChanges);
  // Removes files that an earlier attempt may have left.
  const old = session.attempt === 1 ? [] : [RUN_FILES.exactChanges, RUN_FILES.undo, RUN_FILES.index, RUN_FILES.undone];
  for (const name of old) await rm(join(writer.folder, name), { force: true });
  const isStored = exact !== undefined && (await containsNoSecret(exact, plan.masker));
  if (isStored) await writeFile(exactPath, await readFile(exact), { mode: FILE_MODE });
  const isExact = isStored || (exact === undefined && plan.masker.mask(workspaceDiff) === workspaceDiff);
  const file = { record, isExact };
  if (!isTrivial(file)) await writeFile(join(writer.folder, RUN_FILES.undo), toUndoFile(file), { mode: FILE_MODE });
  if (index !== undefined) await copyIndex(index, join(writer.folder, RUN_FILES.index));
  if (changes.isCut) {
    const storedNote = isStored ? `; all are in ${exactPath}` : "";
    await session.events.warn(
      "workspace_diff",
      `The changes in the report are cut, because they are long${storedNote}`,
    );
  }
  return { workspaceDiff };
}

/** The git index may not exist: a repository without commits can have none. */
async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

async function warnAbout({ events }: RunningSession, { leftOut, isComplete }: UndoRecord): Promise<void> {
  // Sorted so that the warning does not depend on the order in which concurrent comparisons finish.
  const large = leftOut.flatMap(({ path, reason }) => (reason === "too_large" ? [path] : [])).sort();
  if (large.length > 0) {
    const more = large.length > MAX_NAMED ? ` and ${large.length - MAX_NAMED} more` : "";
    await events.warn(
      "workspace_diff",
      `Changed files that are too large for the report, or cannot be read, were left out of it: ${large.slice(0, MAX_NAMED).join(", ")}${more}`,
    );
  }
  if (isComplete) return;
  await events.warn("workspace_diff", "Files that git ignores could not be compared: the report does not name them.");
}

/**
 * Returns whether a file is known to contain no secret. Changes that contain a secret are stored only in redacted form.
 * Files above the size limit are not searched and return `false`.
 */
async function containsNoSecret(path: string, masker: Masker): Promise<boolean> {
  if ((await stat(path)).size > MAX_EXACT_BYTES) return false;
  const text = await readFile(path, "utf8");
  return masker.mask(text) === text;
}

/** Returns the files that the engine itself created, as paths relative to the workspace. */
function ownFilesOf({ board, environment }: RunningSession["plan"]): string[] {
  const root = `${environment.workingDirectory}/`;
  return (board.get(ENGINE_FILES) ?? []).flatMap((path) => (path.startsWith(root) ? [path.slice(root.length)] : []));
}
