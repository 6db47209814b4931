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
 * Whether a subject matches a pattern: `*` is one segment, `>` the one or more last ones, all else itself; case
 * matters. engine: event.Pattern.
 */
export function matchesPattern(pattern: string, subject: string): boolean {
  const expected = pattern.split(".");
  const segments = subject.split(".");
  for (const [index, part] of expected.entries()) {
    if (part === ">") return segments.length > index;
    if (index >= segments.length) return false;
    if (part !== "*" && part !== segments[index]) return false;
  }
  return segments.length === expected.length;
}
