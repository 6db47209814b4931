/** Run-specific values to replace with placeholders. */
export interface NormaliserOptions {
  /** Path of the workspace, or an array of several paths. */
  workspace?: string | readonly string[] | undefined;
  /** Id of the run, or an array of several ids. */
  runId?: string | readonly string[] | undefined;
  /** Additional texts to replace, each with its placeholder. */
  replacements?: Readonly<Record<string, string>> | undefined;
}

const WORKSPACE = "<workspace>";
const RUN = "<run>";

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Patterns for the prompt line with today's date in any format, and for other dates and times.
  [/(today['’]s date(?: is |: ?)[ \t]*)[^\s:][^\n]*/gi, "$1<date>"],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, "<time>"],
  [/\b\d{4}-\d{2}-\d{2}\b/g, "<date>"],
  // Patterns for durations: `12 ms`, `0.5s`, and the `duration_ms` line of Node's test runner.
  [/(duration_ms:?[ \t]*)\d+(?:\.\d+)?/g, "$1<duration>"],
  [/(?<![\w.])\d+(?:\.\d+)?[ \t]?(?:ms|s)\b/g, "<duration>"],
  // Pattern for files and folders directly inside the temporary folder of each platform.
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
 * Creates a function that replaces run-specific values with placeholders: workspace paths, run ids, dates and times,
 * "Today's date", durations, temporary folders. Apply the function to both values of a comparison.
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

/** Creates a function that replaces the placeholders of a recording with this run's workspace path and id. */
export function createRestorer(options: {
  workspace?: string | undefined;
  runId?: string | undefined;
}): (text: string) => string {
  return (text) => {
    const placed = options.workspace === undefined ? text : text.replaceAll(WORKSPACE, () => options.workspace ?? "");
    return options.runId === undefined ? placed : placed.replaceAll(RUN, () => options.runId ?? "");
  };
}
