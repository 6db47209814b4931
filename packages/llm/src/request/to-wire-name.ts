/** Tool names that every API accepts. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;

/**
 * Returns the name of a tool in an earlier call: as in the request, otherwise in a form that every API accepts. Models
 * call tools that do not exist under invalid names, and an API would reject the whole conversation for one.
 */
export function toWireName(name: string, wireNames: ReadonlyMap<string, string>): string {
  const sent = wireNames.get(name);
  if (sent !== undefined) return sent;
  if (NAME.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  const named = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  return named === "_" ? "unnamed_tool" : named.slice(0, MAX_LENGTH);
}
