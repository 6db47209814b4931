import type { Checkout } from "./open-checkout.ts";

/** What was changed in a checkout since it was made. */
export interface CheckoutChanges {
  /** The changes as a binary-safe patch; empty where there are none that may be made. */
  readonly patch: string;
  /** Paths of the patch. */
  readonly paths: readonly string[];
  /** Paths that were changed and may not be: they are not in the patch. */
  readonly outside: readonly string[];
}

/**
 * Reads what was changed, committed or not; what git ignores is left out. It is read with settings that the command could
 * not change. Rejects with `workspace.no_worktree`.
 */
export async function readChanges(checkout: Checkout, isAllowed: (path: string) => boolean): Promise<CheckoutChanges> {
  await checkout.git(["add", "--all", "--", "."]);
  const listed = await checkout.git(["diff", "--cached", "--name-only", "--no-renames", "-z", checkout.commit]);
  const changed = listed.split("\0").filter((path) => path !== "");
  const paths = changed.filter(isAllowed);
  const outside = changed.filter((path) => !isAllowed(path));
  if (paths.length === 0) return { patch: "", paths, outside };
  if (outside.length > 0) {
    const stdin = outside.join("\0");
    const named = ["--pathspec-from-file=-", "--pathspec-file-nul"];
    await checkout.git(["--literal-pathspecs", "reset", "--quiet", ...named, checkout.commit], { stdin });
  }
  const form = ["--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  const patch = await checkout.git(["diff", "--cached", ...form, checkout.commit]);
  return { patch, paths, outside };
}
