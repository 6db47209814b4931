import type { ApprovalContext, ApprovalRequest } from "./approval-request.ts";
import { findPlace, type Place } from "./find-place.ts";
import { type CommandSubject, toCommandSubject } from "./fit-command.ts";

/** One thing that a call touches; `nothing` where it says that it touches none, `untold` where it says nothing. */
export type ApprovalSubject =
  | { readonly kind: "path" | "tree"; readonly place: Place }
  | { readonly kind: "command"; readonly command: CommandSubject }
  | { readonly kind: "nothing" | "untold" };

/** What a call touches, each thing to be judged by itself. */
export async function subjectsOf(
  { targets }: ApprovalRequest,
  { environment }: Pick<ApprovalContext, "environment">,
  { workspace, needsPlaces }: { readonly workspace: string; readonly needsPlaces: boolean },
): Promise<readonly ApprovalSubject[]> {
  if (targets === undefined) return [{ kind: "untold" }];
  const { paths = [], trees = [], command } = targets;
  const subjects: ApprovalSubject[] = [];
  // Where no rule looks at paths, nobody needs to know where they lead.
  if (needsPlaces) {
    for (const path of paths) subjects.push({ kind: "path", place: await findPlace(path, { environment, workspace }) });
    for (const tree of trees) subjects.push({ kind: "tree", place: await findPlace(tree, { environment, workspace }) });
  }
  if (command !== undefined) {
    subjects.push({ kind: "command", command: toCommandSubject(command, environment.platform) });
  }
  return subjects.length === 0 ? [{ kind: "nothing" }] : subjects;
}
