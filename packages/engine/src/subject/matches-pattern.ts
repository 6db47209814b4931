import { EngineError } from "@switchyard/contracts";

const MAX_BYTES = 1024;

function problemOf(text: string): string | undefined {
  if (text === "") return "it is empty";
  // A UTF-16 unit takes at most three bytes in UTF-8, so short texts need not be encoded to check their size.
  if (text.length * 3 > MAX_BYTES && new TextEncoder().encode(text).length > MAX_BYTES)
    return `it has more than ${MAX_BYTES} bytes`;
  if (text.startsWith(".") || text.endsWith(".") || text.includes("..")) return "it has an empty segment";
  return undefined;
}

function wildcardProblem(pattern: string): string | undefined {
  const segments = pattern.split(".");
  for (const [index, segment] of segments.entries()) {
    if (segment.includes("*") && segment !== "*") return "`*` stands for a whole segment";
    if (!segment.includes(">")) continue;
    if (segment !== ">" || index < segments.length - 1) return "`>` stands for the last segments";
  }
  return undefined;
}

/**
 * Throws `subject.invalid` if a text is not an event subject: 1 to 1,024 bytes, no empty segment, no wildcard. See
 * engine: event.Subject.
 */
export function assertSubject(subject: string): void {
  const problem = problemOf(subject) ?? (/[*>]/.test(subject) ? "it has a wildcard" : undefined);
  if (problem !== undefined) throw new EngineError("subject.invalid", { subject: subject.slice(0, 200), problem });
}

/** Throws `pattern.invalid` if a text is not a pattern. See engine: event.Pattern. */
export function assertPattern(pattern: string): void {
  const problem = problemOf(pattern) ?? wildcardProblem(pattern);
  if (problem !== undefined) throw new EngineError("pattern.invalid", { pattern: pattern.slice(0, 200), problem });
}

/**
 * Returns true if a subject matches a pattern. `*` matches exactly one segment, `>` one or more trailing segments, and
 * any other segment itself, byte for byte. Invalid subjects match no pattern, and invalid patterns match nothing. See
 * engine: event.Pattern.
 */
export function matchesPattern(pattern: string, subject: string): boolean {
  const expected = pattern.split(".");
  const segments = subject.split(".");
  const last = expected.length - 1;
  const isOpen = expected[last] === ">";
  if (isOpen ? segments.length <= last : segments.length !== expected.length) return false;
  for (const [index, segment] of segments.entries()) {
    if (segment === "") return false;
    if (isOpen && index >= last) continue;
    const part = expected[index];
    if (part !== "*" && part !== segment) return false;
  }
  return true;
}
