const FENCED = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/;

/** The JSON value that a message is, alone or in a fence, as models like to write it; nothing when it is none. */
export function jsonOf(message: string): { value: unknown } | undefined {
  const trimmed = message.trim();
  try {
    const value: unknown = JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed);
    return { value };
  } catch {
    return undefined;
  }
}
