/** Maximum size of tool arguments as JSON, in characters. */
const MAX_CHARS = 64 * 1024;
/** Maximum nesting depth of tool arguments. */
const MAX_DEPTH = 32;

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}

/** Returns plain data unchanged, or the beginning of its JSON text if the data is too long or nested too deeply. */
export function boundData(value: unknown): unknown {
  if (value === undefined) return undefined;
  if (isDeep(value, MAX_DEPTH)) return "(left out: nested too deeply)";
  const text = JSON.stringify(value) ?? "";
  return text.length <= MAX_CHARS ? value : `${text.slice(0, MAX_CHARS - 1)}…`;
}
