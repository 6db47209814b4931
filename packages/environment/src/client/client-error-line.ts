/** Maximum length, in characters, of a client program's message that is included in an error. */
const MAX_CHARS = 300;

/** Returns the line of a client program's standard error that states the problem, with control characters removed. */
export function clientErrorLine(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map(harmless);
  const problem = lines.find((line) => /error|fail|denied|refused|forbidden|cannot|unable|not found/i.test(line));
  const text = problem ?? lines.find((line) => line !== "") ?? "";
  const short = text.replace(/^(?:docker: |Error: |error: |Error response from daemon: )+/, "");
  return short.length > MAX_CHARS ? `${short.slice(0, MAX_CHARS)}…` : short;
}

function harmless(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output is untrusted and can contain escape sequences.
  return line.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").trim();
}
