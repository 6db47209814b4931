import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../checkpoint/is-part.ts";
import { parseBoundary } from "../checkpoint/parse-boundary.ts";
import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import { type SessionSnapshot, SNAPSHOT_VERSION } from "./session-snapshot.ts";

const STATES: readonly unknown[] = ["idle", "processing", "awaiting_input"] satisfies SessionSnapshot["state"][];

function isState(value: unknown): value is SessionSnapshot["state"] {
  return STATES.includes(value);
}

function refusal(problem: string): EngineError {
  return new EngineError("snapshot.invalid", { problem });
}

function parseState(value: unknown): SessionBoundary {
  try {
    return parseBoundary(value);
  } catch (error) {
    if (EngineError.is(error, "checkpoint.newer_format")) {
      throw new EngineError("snapshot.newer_format", { format: error.details["format"] }, { cause: error });
    }
    const problem = EngineError.is(error) ? String(error.details["problem"] ?? error.message) : "it cannot be read";
    throw new EngineError("snapshot.invalid", { problem }, { cause: error });
  }
}

/**
 * Parses a session snapshot from untrusted data. Throws `snapshot.invalid` if it is malformed. Throws
 * `snapshot.newer_format` if a newer release wrote it.
 */
export function parseSnapshot(value: unknown): SessionSnapshot {
  if (!isRecord(value)) throw refusal("it is not an object");
  const { version, profile, savedAt, state } = value;
  if (typeof version === "number" && version > SNAPSHOT_VERSION) {
    throw new EngineError("snapshot.newer_format", { format: version });
  }
  if (version !== SNAPSHOT_VERSION) throw refusal("its format version is missing or unknown");
  if (typeof profile !== "string") throw refusal("its model family is missing");
  if (typeof savedAt !== "string") throw refusal("its time is missing");
  if (!isState(state)) throw refusal("it does not contain the state of the session");
  return { version, profile, savedAt, state, boundary: parseState(value["boundary"]) };
}
