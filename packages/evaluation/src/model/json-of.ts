const FENCED = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/;

/**
 * Parses a message that is one JSON value, bare or in a Markdown code fence. Returns `undefined` for any other message.
 */
export function jsonOf(message: string): { value: unknown } | undefined {
  const trimmed = message.trim();
  try {
    const value: unknown = JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed);
    return { value };
  } catch {
    return undefined;
  }
}
