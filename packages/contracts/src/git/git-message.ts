/** Maximum length of a message of git, in UTF-16 code units. */
const MAX_LENGTH = 500;

/**
 * Returns the line in which git says why a command failed: the first line that begins with `fatal:` or `error:`, or the
 * last line if there is none. Other lines are ignored: messages of a server, which begin with `remote:`, and advice of
 * git. At most 500 UTF-16 code units. Empty if `stderr` is empty.
 */
export function gitMessage(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const found = lines.find((line) => /^(?:fatal|error): /u.test(line)) ?? lines.at(-1) ?? "";
  return found.slice(0, MAX_LENGTH).trimEnd();
}
