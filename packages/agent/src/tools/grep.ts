import type {
  ExecutionEnvironment,
  GrepMatch,
  GrepOptions,
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolOutput,
} from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { flagArgument, optionalNumber, optionalText, textArgument } from "./tool-argument.ts";
import { searchTarget } from "./tool-targets.ts";

/** Default maximum number of results. See loop: §3.3. */
const DEFAULT_MAX_RESULTS = 100;

type Mode = NonNullable<GrepOptions["mode"]>;

function modeOf(args: ToolArguments): Mode {
  switch (args["output_mode"]) {
    case "files_with_matches":
      return "files";
    case "count":
      return "count";
    default:
      return "content";
  }
}

/** Search result to render. */
interface Found {
  readonly matches: readonly GrepMatch[];
  readonly truncated: boolean;
}

function renderMatch(match: GrepMatch, mode: Mode): string {
  if (mode === "files") return match.path;
  if (mode === "count") return `${match.path}:${match.text}`;
  return match.isContext ? `${match.path}-${match.line}-${match.text}` : `${match.path}:${match.line}:${match.text}`;
}

function render({ matches, truncated }: Found, mode: Mode, tooMany: string): string {
  if (matches.length === 0) return "No matches found.";
  const lines = matches.map((match) => renderMatch(match, mode));
  if (truncated) lines.push(tooMany);
  return lines.join("\n");
}

/** Number of context lines before and after a match. */
interface Context {
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the requested number of context lines. Native tools have separate parameters for lines before and after a
 * match.
 */
function contextOf(args: ToolArguments): Context {
  const both = optionalNumber(args, "context_lines") ?? 0;
  return {
    before: optionalNumber(args, "lines_before") ?? both,
    after: optionalNumber(args, "lines_behind") ?? both,
  };
}

/**
 * Removes surplus context lines. The model may request different numbers of lines before and after a match, but
 * environments return equally many.
 */
function withContext(matches: readonly GrepMatch[], { before, after }: Context): GrepMatch[] {
  const wanted = new Set<GrepMatch>();
  const mark = (inOrder: readonly GrepMatch[], lines: number): void => {
    let last: GrepMatch | undefined;
    for (const match of inOrder) {
      if (!match.isContext) last = match;
      else if (last?.path === match.path && Math.abs(match.line - last.line) <= lines) wanted.add(match);
    }
  };
  mark(matches, after);
  mark([...matches].reverse(), before);
  return matches.filter((match) => !match.isContext || wanted.has(match));
}

/** Removes matches in files that the approval decision hides. Custom environments may ignore `isHidden`. */
function withoutHidden(matches: readonly GrepMatch[], isHidden: ToolCallContext["isHidden"]): readonly GrepMatch[] {
  if (isHidden === undefined) return matches;
  const hidden = new Map<string, boolean>();
  return matches.filter(({ path }) => {
    const known = hidden.get(path) ?? isHidden(path);
    hidden.set(path, known);
    return !known;
  });
}

async function grep(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const mode = modeOf(args);
  const maxResults = optionalNumber(args, "max_results") ?? DEFAULT_MAX_RESULTS;
  const lines = contextOf(args);
  const found = await environment.grep(textArgument(args, "pattern"), {
    path: optionalText(args, "path"),
    glob: optionalText(args, "glob_filter"),
    caseInsensitive: flagArgument(args, "case_insensitive"),
    contextLines: Math.max(lines.before, lines.after),
    maxResults,
    mode,
    isHidden: context.isHidden,
    signal: context.signal,
  });
  const shown = withoutHidden(found.matches, context.isHidden);
  const matches = lines.before === lines.after ? shown : withContext(shown, lines);
  const result = { ...found, matches };
  const details = { matches: result.matches.filter((match) => !match.isContext).length, truncated: result.truncated };
  const name = context.parameterName?.("max_results") ?? "max_results";
  const tooMany = `[Only the first ${maxResults} results are shown. Narrow the search or raise ${name}.]`;
  return { content: render(result, mode, tooMany), details };
}

const PROPERTIES = {
  pattern: { type: "string", minLength: 1, description: "Regular expression to search for." },
  path: { type: "string", description: "Directory or file to search (default: the working directory)." },
  glob_filter: { type: "string", description: 'Only search files that match this glob, for example "*.py".' },
  case_insensitive: { type: "boolean", description: "Ignore case (default false)." },
  max_results: { type: "integer", minimum: 1, description: `Most results (default ${DEFAULT_MAX_RESULTS}).` },
} as const;

const MODE_PROPERTIES = {
  ...PROPERTIES,
  output_mode: {
    type: "string",
    enum: ["content", "files_with_matches", "count"],
    description: "content: matching lines (default); files_with_matches: paths only; count: matches per file.",
  },
  context_lines: { type: "integer", minimum: 0, description: "Lines shown around each match." },
} as const;

/**
 * Tells the model which encodings a search decodes. Files in other encodings are searched as raw bytes, or skipped if
 * they are binary.
 */
const ENCODINGS = "Decodes UTF-8, UTF-16 with a byte order mark, Latin-1 and Windows-1252.";

/** Tool that searches file contents. See loop: grep, §3.3. */
export const grepTool: RegisteredTool = {
  definition: {
    name: "grep",
    description: `Search file contents using regex patterns. Returns matching lines with file paths and line numbers. ${ENCODINGS}`,
    parameters: objectSchema(PROPERTIES, ["pattern"]),
  },
  effects: "readonly",
  needsHost: false,
  targets: searchTarget,
  execute: grep,
};

/** Tool that searches file contents, with a choice of output modes. See loop: §3.5. */
export const grepModesTool: RegisteredTool = {
  ...grepTool,
  definition: {
    name: "grep",
    description: `Search file contents using regex patterns (ripgrep). Returns lines, file paths or counts. ${ENCODINGS}`,
    parameters: objectSchema(MODE_PROPERTIES, ["pattern"]),
  },
};
