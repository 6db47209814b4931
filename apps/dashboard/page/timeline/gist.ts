/** Arguments that say most about a tool call. */
const TELLING = /^(?:command|cmd|path|file_path|filePath|pattern|query|url|task)$/;

/**
 * Returns the most informative argument of a tool call, such as the command or the path. Otherwise returns all
 * arguments.
 */
export function gist(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return text;
    const named = Object.entries(value).find(([name, part]) => TELLING.test(name) && typeof part === "string");
    return named === undefined ? text : String(named[1]);
  } catch {
    return text;
  }
}
