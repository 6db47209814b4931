/** Values that differ between runs. */
export interface NormaliserOptions {
  /** Path of the workspace, or several. */
  workspace?: string | readonly string[] | undefined;
  /** Id of the run, or several. */
  runId?: string | readonly string[] | undefined;
  /** Additional texts to replace, each with its placeholder. */
  replacements?: Readonly<Record<string, string>> | undefined;
}

const WORKSPACE = "<workspace>";
const RUN = "<run>";

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // The prompt line that contains today's date in any format, then dates and times.
  [/(today['’]s date(?: is |: ?)[ \t]*)[^\s:][^\n]*/gi, "$1<date>"],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, "<time>"],
  [/\b\d{4}-\d{2}-\d{2}\b/g, "<date>"],
  // Durations: 12 ms, 0.5s, and the test runner's own line.
  [/(duration_ms:?[ \t]*)\d+(?:\.\d+)?/g, "$1<duration>"],
  [/(?<![\w.])\d+(?:\.\d+)?[ \t]?(?:ms|s)\b/g, "<duration>"],
  // The platforms' temporary folders, one level deep.
  [/(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders\/[\w+]+\/[\w+]+\/T)\/[\w.@+-]+/g, "<temp>"],
];

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  const list = value === undefined ? [] : typeof value === "string" ? [value] : value;
  return list.filter((text) => text !== "");
}

/** Returns the literal texts and their placeholders, longest first, so that a path is replaced before its parents. */
function literalsOf(options: NormaliserOptions): readonly (readonly [string, string])[] {
  const paths = listOf(options.workspace).flatMap((path) => [path, JSON.stringify(path).slice(1, -1)]);
  const pairs: (readonly [string, string])[] = [
    ...paths.map((path) => [path, WORKSPACE] as const),
    ...listOf(options.runId).map((id) => [id, RUN] as const),
    ...Object.entries(options.replacements ?? {}).filter(([text]) => text !== ""),
  ];
  return pairs.sort(([left], [right]) => right.length - left.length);
}

/**
 * Creates a function that replaces values that differ between runs with placeholders: workspace paths, run ids, dates
 * and times, "Today's date", durations, temporary folders. Apply it to both sides of a comparison.
 */
export function createNormaliser(options: NormaliserOptions = {}): (text: string) => string {
  const literals = literalsOf(options);
  return (text) => {
    let normalised = text;
    for (const [literal, mark] of literals) normalised = normalised.replaceAll(literal, () => mark);
    for (const [pattern, mark] of PATTERNS) normalised = normalised.replace(pattern, mark);
    return normalised;
  };
}

/** Creates a function that inserts this run's workspace path and id for the placeholders of a recording. */
export function createRestorer(options: {
  workspace?: string | undefined;
  runId?: string | undefined;
}): (text: string) => string {
  return (text) => {
    const placed = options.workspace === undefined ? text : text.replaceAll(WORKSPACE, () => options.workspace ?? "");
    return options.runId === undefined ? placed : placed.replaceAll(RUN, () => options.runId ?? "");
  };
}
