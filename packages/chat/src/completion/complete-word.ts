/** Possible completions of the word before the cursor. */
export interface Completion {
  /** Position at which the completed word starts, in UTF-16 code units. */
  readonly start: number;
  /** Texts that can replace the word, the best first. Empty if nothing matches. */
  readonly candidates: readonly string[];
}

/** Sources of completions. */
export interface CompletionSources {
  /** Names of the commands, without the slash. */
  readonly commands: readonly string[];
  /** Functions that return the possible arguments of a command, by the command's name. */
  readonly arguments?: Readonly<Record<string, () => Promise<readonly string[]>>> | undefined;
  /** Returns the paths of the workspace's files. */
  readonly files: () => Promise<readonly string[]>;
}

/** Maximum number of candidates. */
const MAX_CANDIDATES = 50;

/**
 * Completes the word before the cursor: `/mo` to a command, `/mode a` to an argument of the command, `@src/a` to a file
 * of the workspace. Resolves with `undefined` for any other word.
 */
export async function completeWord(
  { text, cursor }: { readonly text: string; readonly cursor: number },
  sources: CompletionSources,
): Promise<Completion | undefined> {
  const before = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) {
    const names = sources.commands.filter((name) => name.startsWith(command));
    return { start: 0, candidates: names.map((name) => `/${name} `) };
  }
  const [, name = "", typed] = /^\/(\w+) +(\S*)$/.exec(before) ?? [];
  const known = typed === undefined ? undefined : sources.arguments?.[name];
  if (typed !== undefined && known !== undefined) {
    const values = (await known()).filter((value) => value.startsWith(typed));
    return { start: cursor - typed.length, candidates: values };
  }
  const query = /(?:^|\s)@(\S*)$/.exec(before)?.[1];
  if (query === undefined) return undefined;
  const ranked = rank(await sources.files(), query);
  return { start: cursor - query.length - 1, candidates: ranked.map((path) => `@${quoted(path)} `) };
}

/** A path with spaces is written in quotes, so that it stays one word. */
function quoted(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path;
}

/**
 * Returns the paths that match a query, best matches first: paths that start with it, then file names that start with
 * it, then paths that contain it, then paths that contain its characters in order.
 */
function rank(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const ranks = paths.flatMap((path) => {
    const rank = rankOf(path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ path, rank }];
  });
  ranks.sort((one, other) => one.rank - other.rank || one.path.length - other.path.length);
  return ranks.slice(0, MAX_CANDIDATES).map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  if (path.slice(path.lastIndexOf("/") + 1).startsWith(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  let at = 0;
  for (const character of wanted) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return undefined;
  }
  return 3;
}
