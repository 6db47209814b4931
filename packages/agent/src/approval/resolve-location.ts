import { posix, win32 } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";

/** Where a path leads: the names on the way to it from the workspace, or why nobody can tell. */
export type Place =
  | { readonly kind: "found"; readonly names: readonly string[]; readonly isFile?: boolean }
  | { readonly kind: "unknown"; readonly problem: string };

/** Where paths are looked for. */
export interface LocationOptions {
  /** Where the call would run. */
  readonly environment: ExecutionEnvironment;
  /** Absolute path of the folder that places are relative to. */
  readonly workspace: string;
}

const UNUSABLE = /[\p{Cc}\p{Surrogate}]/u;
/** What Windows leaves out of a name or reads as something else: dots and spaces at the end, streams, short names. */
const WINDOWS_ALIAS = /[. ]$|[:~]/;

/** Makes equal what a platform's file systems do not tell apart. */
export function foldFor(platform: ExecutionEnvironment["platform"]): (text: string) => string {
  return platform === "darwin" || platform === "windows"
    ? (text) => text.normalize("NFC").toLowerCase()
    : (text) => text;
}

function unknown(problem: string): Place {
  return { kind: "unknown", problem };
}

function namesBelow(folder: string, path: string, rules: typeof posix): string[] | undefined {
  const relative = rules.relative(folder, path);
  if (relative === "") return [];
  const names = relative.split(rules.sep);
  return names[0] === ".." || rules.isAbsolute(relative) ? undefined : names;
}

/** What is on the way to a place: a link by its name, or a file at its end. */
interface Way {
  readonly link?: string;
  readonly isFile?: boolean;
}

/** Follows the names to a place; one that does not exist yet is neither a link nor a file. */
async function followNames(environment: ExecutionEnvironment, names: readonly string[]): Promise<Way> {
  const fold = foldFor(environment.platform);
  let folder = environment.workingDirectory;
  for (const [index, name] of names.entries()) {
    const entries = await environment.listDirectory(folder);
    const entry = entries.find((other) => fold(other.name) === fold(name));
    if (entry === undefined) return {};
    if (entry.kind === "symlink") return { link: name };
    if (entry.kind !== "directory") return { isFile: entry.kind === "file" && index === names.length - 1 };
    folder = posix.join(folder, name);
  }
  return {};
}

function isNothing(error: unknown): boolean {
  return EngineError.is(error, "environment.file_not_found") || EngineError.is(error, "environment.not_a_directory");
}

/** Finds where a path of a call leads, whatever tricks are in it. Never rejects: what cannot be told is `unknown`. */
export async function resolveLocation(path: string, { environment, workspace }: LocationOptions): Promise<Place> {
  const { platform, workingDirectory } = environment;
  // The folder of a subagent may be behind a link itself: the way begins where the workspace does.
  const base = baseEnvironmentOf(environment);
  const rules = platform === "windows" ? win32 : posix;
  if (path === "" || UNUSABLE.test(path)) return unknown("the path is not a usable one");
  const absolute = rules.resolve(workingDirectory, path);
  const [names, inside] = [namesBelow(workspace, absolute, rules), namesBelow(base.workingDirectory, absolute, rules)];
  if (names === undefined || inside === undefined) return unknown(`${path} is outside the workspace`);
  if (platform === "windows" && names.some((name) => WINDOWS_ALIAS.test(name))) {
    return unknown(`${path} may stand for another name`);
  }
  try {
    const { link, isFile } = await followNames(base, inside);
    if (link !== undefined) return unknown(`${path} leads through the link ${link}`);
    return { kind: "found", names, ...(isFile === true ? { isFile } : {}) };
  } catch (error) {
    return isNothing(error) ? { kind: "found", names } : unknown(`${path} cannot be looked at`);
  }
}

/** Where a file is that a search found: links are not followed by one, so its path says it. */
export function locationOfFound(path: string, { environment, workspace }: LocationOptions): Place {
  const rules = environment.platform === "windows" ? win32 : posix;
  const names = namesBelow(workspace, rules.resolve(environment.workingDirectory, path), rules);
  return names === undefined ? unknown(`${path} is outside the workspace`) : { kind: "found", names };
}
