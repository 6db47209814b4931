/** Maximum length of the line, in characters. */
const MAX_LENGTH = 160;
/** Matches a line that names an error. Stack traces and version numbers around such a line do not explain a failure. */
const NAMES_ERROR = /\b(?:\w*error|cannot|denied|fail(?:ed|ure)?|fatal|invalid|missing|not found|no such)\b/iu;

/**
 * Returns the line of a program's error output that explains its failure: the first line that names an error, otherwise
 * the last line. `undefined` if the output is empty.
 */
export function errorLineOf(stderr: string | undefined): string | undefined {
  const lines = (stderr ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const line = lines.find((one) => NAMES_ERROR.test(one)) ?? lines.at(-1);
  return line === undefined || line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}
