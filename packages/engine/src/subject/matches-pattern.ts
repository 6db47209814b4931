import { EngineError } from "@switchyard/contracts";

const MAX_BYTES = 1024;

function problemOf(text: string): string | undefined {
  if (text === "") return "it is empty";
  // Three bytes at most for a UTF-16 unit, so short texts need not be encoded.
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

/** Refuses what is no subject: 1 to 1,024 bytes, no empty segment, no wildcard. Throws `subject.invalid`. engine: event.Subject. */
export function assertSubject(subject: string): void {
  const problem = problemOf(subject) ?? (/[*>]/.test(subject) ? "it has a wildcard" : undefined);
  if (problem !== undefined) throw new EngineError("subject.invalid", { subject: subject.slice(0, 200), problem });
}

/** Refuses what is no pattern. Throws `pattern.invalid`. engine: event.Pattern. */
export function assertPattern(pattern: string): void {
  const problem = problemOf(pattern) ?? wildcardProblem(pattern);
  if (problem !== undefined) throw new EngineError("pattern.invalid", { pattern: pattern.slice(0, 200), problem });
}

/**
 * Returns whether a subject matches a pattern: `*` is exactly one segment, `>` is the one or more last segments, and
 * any other segment matches itself, byte for byte. A text that is not a subject, such as the empty one or one with an
 * empty segment, matches no pattern; a text that is not a pattern selects nothing. engine: event.Pattern.
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
