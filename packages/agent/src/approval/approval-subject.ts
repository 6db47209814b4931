import { posix, win32 } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";
import type { ApprovalContext, ApprovalRequest } from "./approval-request.ts";
import { changesKeys } from "./executable-files/changes-keys.ts";
import { type ExecutablePath, executableFileAt } from "./executable-files/executable-file.ts";
import { previewEdit } from "./executable-files/preview-edit.ts";
import { type CommandSubject, toCommandSubject, writtenPaths } from "./match-command.ts";
import { type Location, type LocationOptions, resolveLocation } from "./resolve-location.ts";
import { toAddress } from "./url-pattern.ts";

/** A command line and the folder it runs in. */
export interface CommandCall {
  readonly kind: "command";
  readonly command: CommandSubject;
  /** True if the command runs outside the session's working directory. */
  readonly isElsewhere: boolean;
  /** Folder that the command runs in. Resolved only if an approval rule sets `path`; otherwise `undefined`. */
  readonly location?: Location | undefined;
  /**
   * Why the location of a path that the command writes is uncertain, for example because of a symbolic link.
   * `undefined` if all locations are known.
   */
  readonly writeProblem?: string | undefined;
}

/** A file or folder that a call accesses. */
export interface PathSubject {
  readonly kind: "path" | "tree";
  readonly location: Location;
  /** Set if the call writes a file that other programs execute, such as a git hook. `undefined` otherwise. */
  readonly executable?: ExecutablePath | undefined;
}

/**
 * One resource that a tool call accesses. `nothing`: the tool reports that the call accesses no resources. `untold`:
 * the tool does not report the resources of its calls.
 */
export type ApprovalSubject =
  | PathSubject
  | CommandCall
  | { readonly kind: "url"; readonly address: URL | undefined }
  | { readonly kind: "nothing" | "untold" };

interface SubjectOptions {
  readonly workspace: string;
  /** True if any approval rule sets `path`. If false, the paths of calls are not resolved. */
  readonly needsLocations: boolean;
}

/**
 * Returns true if a command runs outside the root session's working directory. This is the case if the call sets `cwd`,
 * or if a subagent that is restricted to another folder makes the call.
 */
export function isElsewhere(environment: ExecutionEnvironment, cwd = "."): boolean {
  const rules = environment.platform === "windows" ? win32 : posix;
  const folder = rules.resolve(environment.workingDirectory, cwd);
  return folder !== rules.resolve(baseEnvironmentOf(environment).workingDirectory);
}

async function commandCall(
  command: string,
  cwd: string | undefined,
  { environment, workspace, needsLocations }: SubjectOptions & Pick<ApprovalContext, "environment">,
): Promise<CommandCall> {
  const location = needsLocations ? await resolveLocation(cwd ?? ".", { environment, workspace }) : undefined;
  const subject = toCommandSubject(command, environment.platform);
  const writeProblem = await problemOfWrites(writtenPaths(subject), { environment, workspace, cwd });
  return { kind: "command", command: subject, isElsewhere: isElsewhere(environment, cwd), location, writeProblem };
}

/**
 * Resolves the paths that a command writes, because they may lead through symbolic links. Returns the first problem, or
 * `undefined` if all paths can be resolved.
 */
async function problemOfWrites(
  paths: readonly string[],
  { environment, workspace, cwd = "." }: LocationOptions & { readonly cwd?: string | undefined },
): Promise<string | undefined> {
  for (const path of paths) {
    const location = await resolveLocation(posix.join(cwd, path), { environment, workspace });
    if (location.kind === "unknown") return location.problem;
  }
  return undefined;
}

async function pathSubject(request: ApprovalRequest, path: string, options: LocationOptions): Promise<PathSubject> {
  const location = await resolveLocation(path, options);
  if (request.effects === "readonly" || location.kind === "unknown") return { kind: "path", location };
  const executable = executableFileAt(location.names);
  const keys = executable?.row.keys;
  if (keys === undefined) return { kind: "path", location, executable };
  const preview = await previewEdit(request, path, options.environment);
  const isHarmless = preview !== undefined && !changesKeys(preview, keys);
  return { kind: "path", location, ...(isHarmless ? {} : { executable }) };
}

/** Returns the resources that a call accesses. The approval policy judges each resource separately. */
export async function subjectsOf(
  request: ApprovalRequest,
  { environment }: Pick<ApprovalContext, "environment">,
  options: SubjectOptions,
): Promise<readonly ApprovalSubject[]> {
  const { targets } = request;
  if (targets === undefined) return [{ kind: "untold" }];
  const { workspace, needsLocations } = options;
  const { paths = [], trees = [], urls = [], command, cwd } = targets;
  const subjects: ApprovalSubject[] = [];
  if (needsLocations) {
    for (const path of paths) subjects.push(await pathSubject(request, path, { environment, workspace }));
    for (const tree of trees) {
      const location = await resolveLocation(tree, { environment, workspace });
      // If the path is a file and not a folder, the call accesses only that file.
      subjects.push({ kind: location.kind === "found" && location.isFile === true ? "path" : "tree", location });
    }
  }
  for (const url of urls) subjects.push({ kind: "url", address: toAddress(url) });
  if (command !== undefined) subjects.push(await commandCall(command, cwd, { ...options, environment }));
  return subjects.length === 0 ? [{ kind: "nothing" }] : subjects;
}
