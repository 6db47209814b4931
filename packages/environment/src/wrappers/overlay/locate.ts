import type { EntryKind } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { pathBelow, resolvePosixPath } from "../../path/posix-path.ts";
import type { BaseFolder } from "./base-folder.ts";
import type { FolderNode, LayerNode } from "./layer-node.ts";
import { joinRelative } from "./layer-node.ts";

/** Maximum number of consecutive links, as in Linux. */
const MAX_LINKS = 40;

/** An existing file, folder or link of an overlay. */
export interface Found {
  /** Type of the entry. A symbolic link is reported as a link, not as its target. */
  readonly kind: EntryKind;
  readonly node: LayerNode;
}

/** Merged files of an overlay: those of the unchanged base environment, with the changes of the overlay. */
export interface View {
  readonly root: FolderNode;
  readonly base: BaseFolder;
}

/** Location of a path in an overlay. Symbolic links are resolved, except possibly a link that is the last name. */
export interface ViewLocation {
  /** Path relative to the workspace. Empty for the workspace itself. */
  readonly path: string;
  /** Entry at the path. `undefined` if there is none. */
  readonly found: Found | undefined;
  /** Names at the end of the path that do not exist. Empty if the entry exists. */
  readonly missing: readonly string[];
}

/** Options for resolving a path in an overlay. */
export interface LocateOptions {
  /** True to follow a symbolic link if it is the last name of the path. */
  readonly followLast: boolean;
  /** True if parent folders may be missing. */
  readonly mayMissFolders?: boolean | undefined;
}

interface Step {
  readonly name: string;
  readonly found: Found;
}

/**
 * Resolves a path in an overlay. Throws `environment.invalid_path`, `environment.path_outside_workspace`,
 * `environment.not_a_directory`, `environment.file_not_found`.
 */
export async function locate(view: View, given: string, options: LocateOptions): Promise<ViewLocation> {
  const real = view.base.environment.workingDirectory;
  const { relative } = resolvePosixPath({ real }, given);
  const todo = namesOf(relative);
  const steps: Step[] = [];
  let links = 0;
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    const here: Found = steps.at(-1)?.found ?? { kind: "directory", node: view.root };
    if (here.kind !== "directory") throw new EngineError("environment.not_a_directory", { path: given });
    if (name === "..") {
      if (steps.pop() === undefined) throw outside(given, real);
      continue;
    }
    const found = await childOf(view, here.node, name);
    if (found === undefined) return toMissing(steps, [name, ...todo], { given, options, real });
    if (found.kind !== "symlink" || (todo.length === 0 && !options.followLast)) {
      steps.push({ name, found });
      continue;
    }
    links += 1;
    const problem = "its links form a cycle";
    if (links > MAX_LINKS) throw new EngineError("environment.invalid_path", { path: given, problem });
    const target = await linkTarget(view, found, given);
    if (target.startsWith("/")) steps.length = 0;
    const below = target.startsWith("/") ? pathBelow(real, target.replace(/(?<=.)\/+$/, "")) : target;
    if (below === undefined) throw outside(given, real);
    todo.unshift(...namesOf(below));
  }
  const found: Found = steps.at(-1)?.found ?? { kind: "directory", node: view.root };
  return { path: pathOf(steps), found, missing: [] };
}

/** Returns the entry with a given name in a folder of an overlay. */
async function childOf(view: View, folder: LayerNode, name: string): Promise<Found | undefined> {
  if (folder.kind === "file") return undefined;
  if (folder.kind === "base") return baseChild(view, joinRelative(folder.path, name));
  if (!folder.entries.has(name)) {
    return folder.base === undefined ? undefined : baseChild(view, joinRelative(folder.base, name));
  }
  const node = folder.entries.get(name);
  if (node === undefined) return undefined;
  if (node.kind === "base") return baseChild(view, node.path);
  return { kind: node.kind === "file" ? "file" : "directory", node };
}

async function baseChild({ base }: View, path: string): Promise<Found | undefined> {
  const kind = await base.kindOf(path);
  return kind === undefined ? undefined : { kind, node: { kind: "base", path } };
}

async function linkTarget({ base }: View, { node }: Found, given: string): Promise<string> {
  return node.kind === "base" ? base.readLink(node.path, given) : "";
}

function toMissing(
  steps: readonly Step[],
  missing: readonly string[],
  { given, options, real }: { given: string; options: LocateOptions; real: string },
): ViewLocation {
  const names = missing.filter((name) => name !== ".");
  // `..` after a missing name cannot be resolved.
  if (names.includes("..")) {
    const { length } = names.filter((name) => name === "..");
    if (length > steps.length + names.length - length) throw outside(given, real);
    throw new EngineError("environment.file_not_found", { path: given });
  }
  if (names.length > 1 && options.mayMissFolders !== true) {
    throw new EngineError("environment.file_not_found", { path: given });
  }
  return { path: [pathOf(steps), ...names].filter((part) => part !== "").join("/"), found: undefined, missing: names };
}

function outside(path: string, root: string): EngineError {
  return new EngineError("environment.path_outside_workspace", { path, root });
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function pathOf(steps: readonly Step[]): string {
  return steps.map(({ name }) => name).join("/");
}
