import { createNormaliser } from "@switchyard/llm/cassette";

/** Matches lines that depend on the checkout or the release of the operating system, not on the agent. */
const LINES =
  /^(Git branch|Branch|Current branch|OS version|Platform|Knowledge cutoff|The project's temporary directory is): .*$/gm;

/**
 * Matches texts that occur only in a git worktree, or only outside of one, because `.git` is a file in a worktree. By
 * default, a replay works in a worktree.
 */
const OF_WORKTREE: readonly RegExp[] = [
  // Codex names the git folder of a worktree.
  /<entry access="\w+"><path>[^<]*\/\.git\/worktrees\/[^<]*<\/path><\/entry>/g,
  // Gemini CLI lists the files of the workspace, and says that folders such as `.git` are incomplete.
  /^[├└]───\.git(?:\/\.\.\.)?\n/gm,
  / Folders or files indicated with \.\.\. contain more items not shown.*$/gm,
];

/**
 * Returns a function that replaces those parts of a request that can differ between a run and its replay even if the
 * agent is unchanged.
 */
export function createReplayNormaliser(
  workspaces: readonly string[],
  runIds: readonly string[] = [],
): (text: string) => string {
  const normalise = createNormaliser({ workspace: workspaces, runId: runIds });
  return (text) => {
    let stable = text;
    for (const pattern of OF_WORKTREE) stable = stable.replace(pattern, "");
    return normalise(stable).replace(LINES, "$1: <this>");
  };
}
