import { isAbsolute } from "node:path";

/** A file, folder or link that differs from the initial workspace. */
export type ChangedFile =
  | { readonly path: string; readonly kind: "folder"; readonly mode: number }
  | { readonly path: string; readonly kind: "link"; readonly target: string }
  | {
      readonly path: string;
      readonly kind: "file";
      readonly mode: number;
      /** Size in bytes. */
      readonly size: number;
      /** Name under which the content is stored. */
      readonly content: string;
    };

/** Differences between the initial workspace of a run and its current workspace. */
export interface FileChanges {
  /** Version of this format. */
  readonly format: 1;
  /** Paths that no longer exist, relative to the workspace. */
  readonly removed: readonly string[];
  /** New and changed entries. A folder comes before its content. */
  readonly changed: readonly ChangedFile[];
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !isAbsolute(value) && !value.split("/").includes("..");
}

function isChanged(value: unknown): value is ChangedFile {
  const { path, kind, mode, target, size, content } = Object(value);
  if (!isPath(path)) return false;
  if (kind === "link") return typeof target === "string";
  if (typeof mode !== "number") return false;
  return kind === "folder" || (kind === "file" && typeof size === "number" && typeof content === "string");
}

/** Parses stored changes. `undefined` if the text has another format, or names a path outside the workspace. */
export function parseFileChanges(text: string): FileChanges | undefined {
  const { format, removed, changed } = Object(JSON.parse(text));
  if (format !== 1 || !Array.isArray(removed) || !Array.isArray(changed)) return undefined;
  if (!removed.every(isPath) || !changed.every(isChanged)) return undefined;
  return { format, removed, changed };
}
