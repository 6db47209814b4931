import { EngineError, type SessionInput } from "@switchyard/contracts";
import { parseJson } from "./parse-json.ts";

/** Problems that are named in one message. */
const MAX_PROBLEMS = 5;

/** What the schema found wrong with one field. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * A `SessionInput` from the text of a file; unknown fields are left out. Throws `input.malformed` with line and
 * column where it is no JSON, and `input.invalid` with the fields' paths where it is no `SessionInput`.
 * custom-engine: SessionInput format.
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

/** What a session cannot be run without although its fields are well-formed; nothing when all is well. */
export function problemOfMessages(input: SessionInput): string | undefined {
  if (input.messages.some((message) => message.role === "user")) return undefined;
  return "messages: at least one message with the role user is needed";
}

/** An invalid `SessionInput` as an error that names its fields. */
export function invalidInput(path: string, problem: string): EngineError {
  return new EngineError("input.invalid", { path, expected: "SessionInput", problem });
}

/** The fields that are wrong and why, in one line. */
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
