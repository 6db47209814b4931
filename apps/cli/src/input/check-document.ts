import type { SessionInput, SessionResult } from "@switchyard/contracts";
import { sessionInputSchema, sessionResultSchema } from "@switchyard/contracts/schemas";

/** Result of validating a document. */
export type Checked<T> = { valid: true; value: T } | { valid: false; problems: string[] };

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Checks that data is a valid SessionInput. */
export function checkSessionInput(data: unknown): Checked<SessionInput> {
  const parsed = sessionInputSchema.safeParse(data);
  if (!parsed.success) return { valid: false, problems: parsed.error.issues.map(describeIssue) };
  if (parsed.data.messages.some(({ role }) => role === "user")) return { valid: true, value: parsed.data };
  return { valid: false, problems: ["messages: no user message"] };
}

/** Checks that data is a valid SessionResult. */
export function checkSessionResult(data: unknown): Checked<SessionResult> {
  const parsed = sessionResultSchema.safeParse(data);
  if (parsed.success) return { valid: true, value: parsed.data };
  return { valid: false, problems: parsed.error.issues.map(describeIssue) };
}

function describeIssue({ path, message }: Issue): string {
  const place = path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
  return place === "" ? message : `${place}: ${message}`;
}
