/** Maximum length of a file name on common file systems, in bytes. */
const MAX_BYTES = 200;
const DEVICE_NAMES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const FORBIDDEN = /[<>:"|?*\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Returns the file name of an artifact in the archive: the last part of its declared name, sanitized. `undefined` if no
 * name remains. See custom-engine: artifacts contract.
 */
export function archiveName(declared: string): string | undefined {
  const last = declared.split(/[/\\]/).at(-1) ?? "";
  const safe = shorten(last)
    .replace(FORBIDDEN, "_")
    .replace(/[. ]+$/, "")
    .trimStart();
  if (safe === "") return undefined;
  return DEVICE_NAMES.test(safe) ? `_${safe}` : safe;
}

/** Returns the first free name of `name`, `name-2`, …. Ignores case, because some file systems do. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(fold(name))) return name;
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 2; ; number++) {
    const candidate = `${stem}-${number}${ending}`;
    if (!taken.has(fold(candidate))) return candidate;
  }
}

/**
 * Returns a name in normalised form, to detect collisions. Names with the same normalised form denote the same file on
 * some file systems.
 */
export function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Truncates a file name in the middle, so that the extension is preserved. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 16 ? name.slice(dot) : "";
  let stem = "";
  for (const character of name) {
    if (Buffer.byteLength(stem + character + ending) > MAX_BYTES) break;
    stem += character;
  }
  return stem + ending;
}
