import { EngineError, type SessionResult } from "@switchyard/contracts";
import type { Checked } from "@switchyard/contracts/schemas";
import { checkEngineConfig } from "../engine/check-engine-config.ts";
import type { EngineHost } from "../engine/engine-host.ts";

const MAX_PROBLEMS = 20;

/** Type of a document, and its validation problems. */
export interface DocumentFindings {
  /** Type of the document, found by the names of its fields. */
  readonly type: "SessionInput" | "SessionResult" | "EngineConfig";
  /** Problems, each with the path of the field. Empty if the document is valid. */
  readonly problems: readonly string[];
}

/** Options of `checkDocument`. */
export interface CheckDocumentOptions {
  /** Type of the document, if it is known. */
  readonly type?: "EngineConfig" | undefined;
  /** Trusted folder whose packages may contain adapters. */
  readonly project: string | undefined;
}

/**
 * Detects whether a document is a SessionInput, a SessionResult or an engine configuration, and validates it. Rejects
 * with `engine.not_trusted`, `adapter.*` and `config.malformed`.
 */
export async function checkDocument(
  host: EngineHost,
  data: unknown,
  { type, project }: CheckDocumentOptions,
): Promise<DocumentFindings> {
  if (type === "EngineConfig" || looksLikeEngine(data)) {
    return { type: "EngineConfig", problems: await checkEngineConfig(host, data, project) };
  }
  if (looksLikeResult(data)) return { type: "SessionResult", problems: shownProblems(await checkResult(data)) };
  const { checkSessionInput } = await import("@switchyard/contracts/schemas");
  return { type: "SessionInput", problems: shownProblems(checkSessionInput(data)) };
}

function shownProblems(checked: Checked<unknown>): readonly string[] {
  if (checked.valid) return [];
  const { problems } = checked;
  const more = problems.length - MAX_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems;
}

/**
 * Validates a `SessionResult`, including problems that the schema cannot express: artifacts without a source, and
 * contents that are too large.
 */
async function checkResult(data: unknown): Promise<Checked<SessionResult>> {
  const [{ checkSessionResult }, { checkArtifacts }] = await Promise.all([
    import("@switchyard/contracts/schemas"),
    import("@switchyard/custom-engine"),
  ]);
  const checked = checkSessionResult(data);
  if (!checked.valid) return checked;
  try {
    checkArtifacts(checked.value.artifacts);
    return checked;
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    return { valid: false, problems: [String(error.details["problem"])] };
  }
}

function looksLikeEngine(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "messages" in data) return false;
  return "engine" in data ? typeof data.engine === "object" : "name" in data && ("custom" in data || "adapter" in data);
}

function looksLikeResult(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "messages" in data) return false;
  return "exit_code" in data || "final_message" in data;
}
