import type { SessionInput } from "../session/session-input.ts";
import type { SessionResult } from "../session/session-result.ts";
import { sessionInputSchema } from "./session-input.ts";
import { sessionResultSchema } from "./session-result.ts";

/** Result of validating a document. */
export type Checked<T> =
  | {
      /** The document is valid. */
      readonly valid: true;
      /** The document, without unknown fields. */
      readonly value: T;
    }
  | {
      /** The document is not valid. */
      readonly valid: false;
      /** Problems, each with the path of the field. */
      readonly problems: readonly string[];
    };

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
