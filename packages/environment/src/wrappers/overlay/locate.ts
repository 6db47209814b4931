import type { EntryKind } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { pathBelow, resolvePosixPath } from "../../path/posix-path.ts";
import type { BaseFolder } from "./base-folder.ts";
import type { FolderNode, LayerNode } from "./layer-node.ts";
import { joinRelative } from "./layer-node.ts";

/** As many links in a row as Linux follows. */
const MAX_LINKS = 40;

/** Something that is there in the view. */
export interface Found {
  /** What it is, a link not followed. */
  readonly kind: EntryKind;
  readonly node: LayerNode;
}

/** The view of an overlay: a layer in front of a base. */
export interface View {
  readonly root: FolderNode;
  readonly base: BaseFolder;
}

/** A place of the view, without links but perhaps for the last name. */
export interface ViewLocation {
  /** Relative to the workspace; empty for that itself. */
  readonly path: string;
  /** What is there. */
  readonly found: Found | undefined;
  /** Names of the path that are not there; none where something is found. */
  readonly missing: readonly string[];
}

/** How a place is looked for. */
export interface LocateOptions {
  /** Whether the last name is followed when it is a link. */
  readonly followLast: boolean;
  /** Whether folders above the place may be missing. */
  readonly mayMissFolders?: boolean | undefined;
}

interface Step {
  readonly name: string;
  readonly found: Found;
}

/**
 * Finds a place of the view by a path as callers write it. Throws `environment.invalid_path`,
 * `environment.path_outside_workspace`, `environment.not_a_directory`, `environment.file_not_found`.
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
    const problem = "its links lead in a circle";
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

/** What is in a folder of the view under a name. */
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
  // What a link names below something that is not there leads nowhere.
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
