/** Names of tools that every API takes. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;

/**
 * The name of a tool in an earlier call: as the request names it, else as every API takes it. Models ask for tools that are not there, by names that
 * no tool could have, and an API that finds one in the conversation refuses all of it.
 */
export function toWireName(name: string, wireNames: ReadonlyMap<string, string>): string {
  const sent = wireNames.get(name);
  if (sent !== undefined) return sent;
  if (NAME.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  const named = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  return named === "_" ? "unnamed_tool" : named.slice(0, MAX_LENGTH);
}
