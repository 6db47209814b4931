import type { OmittedFile, ReferenceChange } from "@switchyard/contracts";
import { type ModeChange, NO_RECORD, type UndoRecord } from "../diff/undo-record.ts";

/** Data that is stored for the command `undo`, in addition to the patch. */
export interface UndoFile {
  /** Changes that the patch does not contain. */
  readonly record: UndoRecord;
  /** False if the stored patch differs from the run's changes, because it was redacted or truncated. */
  readonly isExact: boolean;
}

const VERSION = 1;

/** Returns whether the patch alone suffices to revert all changes. */
export function isTrivial({ record, isExact }: UndoFile): boolean {
  const { modes, folders, made, repositories, leftOut, isComplete } = record;
  return isExact && isComplete && [modes, folders, made, repositories, leftOut].every((list) => list.length === 0);
}

/** Serialises the file. */
export function toUndoFile(file: UndoFile): string {
  return JSON.stringify({ version: VERSION, ...file });
}

/** Parses the content of a stored undo file. Throws if it is invalid. */
export function parseUndoFile(text: string): UndoFile {
  const value: unknown = JSON.parse(text);
  const record = fieldOf(value, "record");
  if (fieldOf(value, "version") !== VERSION || !isObject(record)) throw new Error("it is not an undo file");
  return {
    isExact: fieldOf(value, "isExact") === true,
    record: {
      ...NO_RECORD,
      modes: listOf(record, "modes", isModeChange),
      folders: listOf(record, "folders", isModeChange),
      made: listOf(record, "made", (path) => typeof path === "string"),
      repositories: listOf(record, "repositories", isReferenceChange),
      leftOut: listOf(record, "leftOut", isOmittedFile),
      isComplete: fieldOf(record, "isComplete") === true,
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function listOf<T>(value: unknown, name: string, isEntry: (entry: unknown) => entry is T): T[] {
  const list = fieldOf(value, name);
  if (!Array.isArray(list) || !list.every(isEntry)) throw new Error(`it has no valid ${name}`);
  return list;
}

function isModeChange(value: unknown): value is ModeChange {
  const after = fieldOf(value, "after");
  const isMode = after === undefined || typeof after === "number";
  return typeof fieldOf(value, "path") === "string" && typeof fieldOf(value, "before") === "number" && isMode;
}

function isReferenceChange(value: unknown): value is ReferenceChange {
  const states = [fieldOf(value, "before"), fieldOf(value, "after")];
  const isState = states.every((state) => state === undefined || typeof state === "string");
  return typeof fieldOf(value, "folder") === "string" && typeof fieldOf(value, "name") === "string" && isState;
}

function isOmittedFile(value: unknown): value is OmittedFile {
  return typeof fieldOf(value, "path") === "string" && typeof fieldOf(value, "reason") === "string";
}
