/**
 * Maximum number of distinct names in the metrics of a process. The number is limited, because the collector stores a
 * separate series for each name.
 */
const MAX_NAMES = 500;
const MAX_CHARACTERS = 256;
/** Name that replaces names above the limit, as the OpenTelemetry conventions recommend. */
const OTHER = "_OTHER";

/**
 * Returns a function that limits the distinct names in metrics: it replaces new names above the maximum. Engines can
 * create any number of names.
 */
export function limitedNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= MAX_NAMES || name.length > MAX_CHARACTERS) return OTHER;
    known.add(name);
    return name;
  };
}
