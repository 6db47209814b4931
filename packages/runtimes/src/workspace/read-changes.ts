import type { Checkout } from "./open-checkout.ts";

/** Changes of a git checkout since it was created. */
export interface CheckoutChanges {
  /** Allowed changes as a binary git patch; empty if there are none. */
  readonly patch: string;
  /** Paths of the files in the patch. */
  readonly paths: readonly string[];
  /** Changed paths outside the write scope, which are not in the patch. */
  readonly outside: readonly string[];
}

/**
 * Resolves with the changes in a checkout, committed or not. Ignored files are omitted. Git runs with settings that the
 * task's command could not change. Rejects with `workspace.no_worktree`.
 */
export async function readChanges(checkout: Checkout, isAllowed: (path: string) => boolean): Promise<CheckoutChanges> {
  await addAll(checkout);
  const listed = await checkout.git([...COMPARE, "--name-only", "-z", checkout.commit]);
  const changed = listed.split("\0").filter((path) => path !== "");
  const paths = changed.filter(isAllowed);
  const outside = changed.filter((path) => !isAllowed(path));
  if (paths.length === 0) return { patch: "", paths, outside };
  if (outside.length > 0) {
    const stdin = outside.join("\0");
    const named = ["--pathspec-from-file=-", "--pathspec-file-nul"];
    await checkout.git(["--literal-pathspecs", "reset", "--quiet", ...named, checkout.commit], { stdin });
  }
  const form = ["--patch", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"];
  const patch = await checkout.git([...COMPARE, ...form, checkout.commit]);
  return { patch, paths, outside };
}

/**
 * Git command that lists the changed files. `git diff` is not used, because its format depends on the user's settings.
 */
const COMPARE: readonly string[] = ["diff-index", "--cached", "-r", "--no-renames"];

/**
 * Stages all files. For nested repositories, only the commit is staged. To read their working tree, git would run
 * programs that their settings name.
 */
async function addAll(checkout: Checkout): Promise<void> {
  const staged = await checkout.git(["ls-files", "--stage", "-z"]);
  const inner = staged
    .split("\0")
    .flatMap((entry) => (entry.startsWith("160000 ") ? [entry.replace(/^[^\t]*\t/, "")] : []));
  const paths = [".", ...inner.map((path) => `:(exclude,literal)${path}`)];
  const named = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  await checkout.git(["add", "--all", ...named], { stdin: paths.join("\0") });
  if (inner.length === 0) return;
  await checkout.git(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], { stdin: inner.join("\0") });
}
