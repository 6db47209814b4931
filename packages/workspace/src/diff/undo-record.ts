import type { OmissionReason, OmittedFile, ReferenceChange } from "@switchyard/contracts";
import { type BytePath, fromBytePath } from "../restore/byte-path.ts";
import { parseStateLines, type StateChange } from "./state-change.ts";

/** Changed permissions of a file or folder, as numbers (mode bits). */
export interface ModeChange {
  /**
   * Path relative to the workspace, decoded as `latin1` with one character per byte, because paths may be invalid
   * UTF-8. `.` is the workspace itself.
   */
  readonly path: BytePath;
  /** Permission bits before the run. */
  readonly before: number;
  /** Permission bits after the run. `undefined` if the file or folder was removed. */
  readonly after?: number | undefined;
}

/** Changes by a run that a git diff cannot represent, such as those of permissions, folders, branches and tags. */
export interface UndoRecord {
  /** Permissions of changed or removed files. */
  readonly modes: readonly ModeChange[];
  /** Folders that were removed, or whose permissions changed. */
  readonly folders: readonly ModeChange[];
  /** Paths of folders that the run created. */
  readonly made: readonly BytePath[];
  /** Changed branches, tags, `HEAD` and index of the repository and of repositories nested in it. */
  readonly repositories: readonly ReferenceChange[];
  /** Files that the run changed but whose contents are not in the diff, for example because they are too large. */
  readonly leftOut: readonly OmittedFile[];
  /** False if changes of git-ignored files could not be determined. */
  readonly isComplete: boolean;
}

/** Record without changes. */
export const NO_RECORD: UndoRecord = {
  modes: [],
  folders: [],
  made: [],
  repositories: [],
  leftOut: [],
  isComplete: true,
};

/** Information about the files of a workspace. Paths are relative to the workspace. */
export interface KnownFiles {
  /** Returns whether the snapshot before or after the run contains a file in its git tree. */
  isSeen(path: string): boolean;
  /** Files that are too large, or unreadable. */
  readonly tooLarge: ReadonlySet<string>;
  /** Folders that git ignores, with a trailing `/`. */
  readonly ignoredFolders: readonly string[];
  /**
   * Returns whether a file that is in no snapshot belongs to a folder of installed files, such as `node_modules`. Used
   * for plain folders, for which git ignores nothing.
   */
  isInstalled(path: string): boolean;
}

/**
 * Divides the differences between two states of a workspace into changes that can be undone and files that are left
 * out.
 */
export function toUndoRecord(
  lines: { readonly state: readonly string[]; readonly repositories: readonly string[] },
  known: KnownFiles,
): UndoRecord {
  const repositories = parseRepositoryLines(lines.repositories);
  if (lines.state.length === 1 && lines.state[0] === "?") return { ...NO_RECORD, repositories, isComplete: false };
  const modes: ModeChange[] = [];
  const folders: ModeChange[] = [];
  const created: string[] = [];
  const omitted = new Map<string, OmissionReason>();
  const changes = parseStateLines(lines.state);
  const isNew = ({ before }: StateChange): boolean => before === undefined;
  for (const change of [...changes.filter(isNew), ...changes.filter((one) => !isNew(one))]) {
    const { path, before, after } = change;
    const name = fromBytePath(path);
    const reason = omissionReasonOf({ ...change, path: name }, known);
    if (reason !== undefined) {
      const folder = known.ignoredFolders.find((one) => `${name}/`.startsWith(one));
      const shown = reason === "ignored" && folder !== undefined ? folder : name;
      omitted.set(shown, reason === "ignored" && known.isInstalled(name) ? "installed" : reason);
      continue;
    }
    const isFolder = before?.type === "folder";
    if (after?.type === "folder" && !isFolder) created.push(path);
    if (before === undefined || before.type === "link") continue;
    const sameType = after?.type === before.type ? after.mode : undefined;
    if (isFolder && sameType !== before.mode) folders.push({ path, before: before.mode, after: sameType });
    if (!isFolder && !isPlain(before.mode, sameType)) modes.push({ path, before: before.mode, after: sameType });
  }
  return {
    ...{ modes, folders, made: created, repositories, isComplete: true },
    leftOut: [...omitted].map(([path, reason]) => ({ path, reason })),
  };
}

/**
 * Returns whether a permission change need not be recorded: the permissions are the same, or the file was removed and
 * had one of git's default permissions.
 */
function isPlain(before: number, after: number | undefined): boolean {
  return after === undefined ? before === 0o644 || before === 0o755 : before === after;
}

function omissionReasonOf({ path, before, after }: StateChange, known: KnownFiles): OmissionReason | undefined {
  if (path === ".git" || path.endsWith("/.git")) return "repository";
  if (before?.type === "special" || after?.type === "special") return "special";
  const isFile = [before, after].some((entry) => entry?.type === "file" || entry?.type === "link");
  if (known.tooLarge.has(path)) return "too_large";
  if (!isFile) return known.ignoredFolders.some((folder) => `${path}/`.startsWith(folder)) ? "ignored" : undefined;
  return known.isSeen(path) ? undefined : "ignored";
}

function parseRepositoryLines(lines: readonly string[]): ReferenceChange[] {
  const changes = new Map<string, { folder: string; name: string; before?: string; after?: string }>();
  for (const line of lines) {
    const isAfter = line.startsWith("\t");
    const [folder = "", recorded = ""] = (isAfter ? line.slice(1) : line).split("\u0002");
    const end = recorded.indexOf(" ");
    const [name, value] = [recorded.slice(0, end), recorded.slice(end + 1)];
    const key = `${folder}\u0002${name}`;
    const known = changes.get(key) ?? { folder: folder.replaceAll("\u0001", "\n"), name };
    if (value !== "") changes.set(key, { ...known, ...(isAfter ? { after: value } : { before: value }) });
  }
  return [...changes.values()];
}
