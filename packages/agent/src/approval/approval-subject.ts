import { posix, win32 } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";
import type { ApprovalContext, ApprovalRequest } from "./approval-request.ts";
import { findPlace, type Place } from "./find-place.ts";
import { type CommandSubject, toCommandSubject } from "./fit-command.ts";
import { toAddress } from "./url-pattern.ts";

/** A command line, and where it runs. */
export interface CommandCall {
  readonly kind: "command";
  readonly command: CommandSubject;
  /** Whether it runs in another folder than the session works in. */
  readonly isElsewhere: boolean;
  /** The folder that it runs in; unset where no rule asks for it. */
  readonly place?: Place | undefined;
}

/** One thing that a call touches; `nothing` where it says that it touches none, `untold` where it says nothing. */
export type ApprovalSubject =
  | { readonly kind: "path" | "tree"; readonly place: Place }
  | CommandCall
  | { readonly kind: "url"; readonly address: URL | undefined }
  | { readonly kind: "nothing" | "untold" };

interface SubjectOptions {
  readonly workspace: string;
  /** Whether any rule looks at paths: else nobody needs to know where they lead. */
  readonly needsPlaces: boolean;
}

/** Whether a command runs elsewhere than in the folder of the session: in one that the call names, or a subagent has. */
export function isElsewhere(environment: ExecutionEnvironment, cwd = "."): boolean {
  const rules = environment.platform === "windows" ? win32 : posix;
  const folder = rules.resolve(environment.workingDirectory, cwd);
  return folder !== rules.resolve(baseEnvironmentOf(environment).workingDirectory);
}

async function commandCall(
  command: string,
  cwd: string | undefined,
  { environment, workspace, needsPlaces }: SubjectOptions & Pick<ApprovalContext, "environment">,
): Promise<CommandCall> {
  const place = needsPlaces ? await findPlace(cwd ?? ".", { environment, workspace }) : undefined;
  return {
    kind: "command",
    command: toCommandSubject(command, environment.platform),
    isElsewhere: isElsewhere(environment, cwd),
    place,
  };
}

/** What a call touches, each thing to be judged by itself. */
export async function subjectsOf(
  { targets }: ApprovalRequest,
  { environment }: Pick<ApprovalContext, "environment">,
  options: SubjectOptions,
): Promise<readonly ApprovalSubject[]> {
  if (targets === undefined) return [{ kind: "untold" }];
  const { workspace, needsPlaces } = options;
  const { paths = [], trees = [], urls = [], command, cwd } = targets;
  const subjects: ApprovalSubject[] = [];
  if (needsPlaces) {
    for (const path of paths) subjects.push({ kind: "path", place: await findPlace(path, { environment, workspace }) });
    for (const tree of trees) {
      const place = await findPlace(tree, { environment, workspace });
      // Below a file there is nothing but itself.
      subjects.push({ kind: place.kind === "found" && place.isFile === true ? "path" : "tree", place });
    }
  }
  for (const url of urls) subjects.push({ kind: "url", address: toAddress(url) });
  if (command !== undefined) subjects.push(await commandCall(command, cwd, { ...options, environment }));
  return subjects.length === 0 ? [{ kind: "nothing" }] : subjects;
}
