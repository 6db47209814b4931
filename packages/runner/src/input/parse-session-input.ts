import { EngineError, type SessionInput } from "@switchyard/contracts";
import { parseJson } from "./parse-json.ts";

/** Maximum number of problems in one message. Further ones are only counted. */
const MAX_PROBLEMS = 5;

/** A schema violation in one field. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Parses a `SessionInput`; drops unknown fields. Rejects with `input.malformed`, including line and column, if the text
 * is not JSON. Rejects with `input.invalid`, including field paths, if it is not a `SessionInput`. See custom-engine:
 * SessionInput format.
 */
export async function parseSessionInput(text: string, path: string): Promise<SessionInput> {
  const value = await parseJson(text, path);
  const { sessionInputSchema } = await import("@switchyard/contracts/schemas");
  const parsed = sessionInputSchema.safeParse(value);
  if (!parsed.success) throw invalidInput(path, describeIssues(parsed.error.issues));
  const problem = problemOfMessages(parsed.data);
  if (problem !== undefined) throw invalidInput(path, problem);
  return parsed.data;
}

/** Checks requirements that the schema does not express. Returns the problem, or `undefined` if there is none. */
export function problemOfMessages(input: SessionInput): string | undefined {
  if (input.messages.some((message) => message.role === "user")) return undefined;
  return "messages: at least one message with the role user is needed";
}

/** Creates an `input.invalid` error. */
export function invalidInput(path: string, problem: string): EngineError {
  return new EngineError("input.invalid", { path, expected: "SessionInput", problem });
}

/** Formats schema violations as one line of field paths and messages. */
export function describeIssues(issues: readonly Issue[]): string {
  const named = issues.slice(0, MAX_PROBLEMS).map((issue) => `${fieldPath(issue.path)}: ${issue.message}`);
  const more = issues.length - named.length;
  return more > 0 ? `${named.join("; ")}; and ${more} more` : named.join("; ");
}

function fieldPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) text += typeof key === "number" ? `[${key}]` : `${text === "" ? "" : "."}${String(key)}`;
  return text === "" ? "(the whole)" : text;
}
