import { EngineError, messageOf, type SessionResult } from "@switchyard/contracts";
import { sessionResultSchema } from "@switchyard/contracts/schemas";
import { describeIssues } from "../config/describe-issue.ts";
import { isRecord } from "../json/is-record.ts";
import { checkArtifacts } from "./check-artifacts.ts";
import { problemOfShape } from "./problem-of-shape.ts";
import { withKnownMessages } from "./with-known-messages.ts";

/** Maximum number of problems in one message. Further ones are only counted. */
const MAX_PROBLEMS = 5;

/**
 * Parses an engine's response as a `SessionResult` and drops unknown fields. Throws `result.missing` for an empty
 * response, `result.malformed` for invalid JSON, `result.invalid` with the paths of the fields, or `result.too_large`.
 * See custom-engine: result contract, result bounds.
 */
export function parseResult(text: string): SessionResult {
  // Some programs write a byte order mark at the beginning of a file.
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (json.trim() === "") throw new EngineError("result.missing");
  const problem = problemOfShape(json);
  if (problem !== undefined) throw new EngineError("result.invalid", { problem });
  const value = parseJson(json);
  if (!isRecord(value)) throw new EngineError("result.invalid", { problem: "it is not a JSON object" });
  const parsed = sessionResultSchema.safeParse(withoutNulls(withKnownMessages(withFinalMessage(value))), {
    reportInput: true,
  });
  if (!parsed.success) {
    const { issues } = parsed.error;
    const problems = describeIssues(issues.slice(0, MAX_PROBLEMS), "").map((text) => text.replace(/^\./u, ""));
    const more = issues.length > MAX_PROBLEMS ? [`and ${issues.length - MAX_PROBLEMS} more`] : [];
    throw new EngineError("result.invalid", { problem: [...problems, ...more].join("; ") });
  }
  checkArtifacts(parsed.data.artifacts);
  return parsed.data;
}

function parseJson(text: string): unknown {
  const parsed = tryJson(text);
  // The parser's error is dropped, because it quotes the output, which may contain secrets.
  if ("problem" in parsed) throw new EngineError("result.malformed", { problem: parsed.problem });
  return parsed.value;
}

function tryJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const [problem = "it cannot be read"] = messageOf(error).split(/, "|: "/u);
    return { problem };
  }
}

/** Returns a result whose missing final message is taken from the transcript. */
function withFinalMessage(given: Record<string, unknown>): Record<string, unknown> {
  const { final_message: message, transcript } = given;
  const isGiven = message !== undefined && message !== null;
  if (isGiven || !Array.isArray(transcript)) return given;
  const last: unknown = transcript.findLast((entry) => isRecord(entry) && entry["role"] === "assistant");
  return isRecord(last) ? { ...given, final_message: last["content"] } : given;
}

/** Returns a value without `null` fields, which many languages write for unset optional fields. */
function withoutNulls(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(withoutNulls);
  if (!isRecord(given)) return given;
  const set = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([key, value]) => [key, withoutNulls(value)]));
}
