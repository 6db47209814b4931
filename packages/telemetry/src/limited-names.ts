/** Different names that one process tells apart in its metrics; every one of them is a series of its own at the collector. */
const MAX_NAMES = 500;
const MAX_CHARACTERS = 256;
/** What all others are called, by the conventions. */
const OTHER = "_OTHER";

/** Names as metrics have them: an engine can make up as many as it likes. */
export function limitedNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= MAX_NAMES || name.length > MAX_CHARACTERS) return OTHER;
    known.add(name);
    return name;
  };
}
