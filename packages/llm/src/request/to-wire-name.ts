/** Tool names that every API accepts. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;

/**
 * Returns the tool name to send for an earlier tool call. The name is that of the request's tool if it exists,
 * otherwise a form that every API accepts. Models sometimes call nonexistent tools with invalid names, and APIs reject
 * a conversation that contains such a name.
 */
export function toWireName(name: string, wireNames: ReadonlyMap<string, string>): string {
  const sent = wireNames.get(name);
  if (sent !== undefined) return sent;
  if (NAME.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  const named = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  return named === "_" ? "unnamed_tool" : named.slice(0, MAX_LENGTH);
}
