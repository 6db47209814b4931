import { EngineError } from "@switchyard/contracts";

const RESERVED = /[.*>]/g;
const SAFE_RUN_ID = /^[A-Za-z0-9_-]+$/;
const MAX_RUN_ID_LENGTH = 128;

/**
 * Converts an id to one segment of an event subject: `.`, `*` and `>` become `_`, and so does an empty id. See engine:
 * SanitiseID.
 */
export function sanitiseId(id: string): string {
  if (id === "") return "_";
  // Most ids contain no reserved character, and searching for one is faster than a regular expression.
  return id.includes(".") || id.includes("*") || id.includes(">") ? id.replace(RESERVED, "_") : id;
}

/**
 * Throws `run.invalid_id` if a run id would change in an event subject, is not a valid file name, or is too long. This
 * ensures that two runs never share a subject or folder.
 */
export function assertRunId(id: string): void {
  const problem =
    id === ""
      ? "it is empty"
      : id.length > MAX_RUN_ID_LENGTH
        ? `it has ${id.length} characters`
        : SAFE_RUN_ID.test(id)
          ? undefined
          : "it contains characters with a special meaning in subjects or file names";
  if (problem !== undefined)
    throw new EngineError("run.invalid_id", { runId: JSON.stringify(id.slice(0, MAX_RUN_ID_LENGTH)), problem });
}
