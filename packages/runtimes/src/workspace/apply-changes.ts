import { EngineError } from "@switchyard/contracts";
import { runGit } from "../git/run-git.ts";
import type { Checkout } from "./open-checkout.ts";
import type { OpenFolder } from "./prepared-workspace.ts";

/** Result of applying changes: all were applied, or the reason why none of them was applied. */
export type AppliedChanges = { readonly status: "applied" } | { readonly status: "refused"; readonly problem: string };

/**
 * Applies the changes of a checkout to the folder from which it was created: all or none, without committing. Nothing
 * is applied if the folder's HEAD is no longer the commit of the checkout, or if lines or files that the checkout
 * changed have also been changed in the folder. See agent-runtime-package: workspace materialization.
 */
export async function applyChanges(
  checkout: Checkout,
  patch: string,
  { target, openFolder }: { readonly target: string; readonly openFolder: OpenFolder },
): Promise<AppliedChanges> {
  await using environment = await openFolder(target);
  const head = await runGit(environment, ["rev-parse", "--show-prefix", "--verify", "HEAD^{commit}"]);
  const [prefix, commit = ""] = head.stdout.split("\n");
  if (head.exitCode !== 0 || prefix !== "") {
    return { status: "refused", problem: `${target} is not the top folder of a git checkout with a commit` };
  }
  if (commit !== checkout.commit) {
    const [now, then] = [commit.slice(0, 12), checkout.commit.slice(0, 12)];
    return {
      status: "refused",
      problem: `${target} has moved on: its last commit is ${now}, the work began at ${then}`,
    };
  }
  try {
    const options = { files: target, stdin: patch };
    await checkout.git(["apply", "--whitespace=nowarn", "--check", "-"], options);
    await checkout.git(["apply", "--whitespace=nowarn", "-"], options);
    return { status: "applied" };
  } catch (error) {
    if (!EngineError.is(error, "workspace.no_worktree")) throw error;
    return {
      status: "refused",
      problem: `the changes can no longer be applied to ${target}: ${String(error.details["problem"])}`,
    };
  }
}
