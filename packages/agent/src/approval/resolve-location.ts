import { posix, win32 } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";

/**
 * A resolved path, or the reason why it cannot be resolved. `names` are the segments of the path relative to the
 * workspace, such as `["src", "main.ts"]`. The list is empty for the workspace itself.
 */
export type Location =
  | { readonly kind: "found"; readonly names: readonly string[]; readonly isFile?: boolean }
  | { readonly kind: "unknown"; readonly problem: string };

/** Options for resolving paths. */
export interface LocationOptions {
  /** Environment in which the call would run. */
  readonly environment: ExecutionEnvironment;
  /** Absolute path of the folder to which the resolved paths are relative. */
  readonly workspace: string;
}

const UNUSABLE = /[\p{Cc}\p{Surrogate}]/u;
/** Names that Windows treats as aliases: trailing dots and spaces, alternate data streams, short names. */
const WINDOWS_ALIAS = /[. ]$|[:~]/;

/** Returns a function that maps two names to the same text if the platform's file systems treat them as equal. */
export function foldFor(platform: ExecutionEnvironment["platform"]): (text: string) => string {
  return platform === "darwin" || platform === "windows"
    ? (text) => text.normalize("NFC").toLowerCase()
    : (text) => text;
}

function unknown(problem: string): Location {
  return { kind: "unknown", problem };
}

function namesBelow(folder: string, path: string, rules: typeof posix): string[] | undefined {
  const relative = rules.relative(folder, path);
  if (relative === "") return [];
  const names = relative.split(rules.sep);
  return names[0] === ".." || rules.isAbsolute(relative) ? undefined : names;
}

/** Result of walking along a path: the first symbolic link on it, or whether it ends at a file. */
interface Way {
  readonly link?: string;
  readonly isFile?: boolean;
}

/**
 * Walks along a path, name by name, and stops at the first symbolic link. If the path does not exist, the result
 * contains neither a link nor a file.
 */
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

function isNotFound(error: unknown): boolean {
  return EngineError.is(error, "environment.file_not_found") || EngineError.is(error, "environment.not_a_directory");
}

/** Resolves a path of a call relative to the workspace. Never rejects; a path that cannot be resolved is `unknown`. */
export async function resolveLocation(path: string, { environment, workspace }: LocationOptions): Promise<Location> {
  const { platform, workingDirectory } = environment;
  // A subagent's folder may itself be reached through a link, so the check starts at the workspace.
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
    return isNotFound(error) ? { kind: "found", names } : unknown(`${path} cannot be looked at`);
  }
}

/** Resolves the path of a file that a search found. Searches do not follow links, so the path alone is sufficient. */
export function locationOfFound(path: string, { environment, workspace }: LocationOptions): Location {
  const rules = environment.platform === "windows" ? win32 : posix;
  const names = namesBelow(workspace, rules.resolve(environment.workingDirectory, path), rules);
  return names === undefined ? unknown(`${path} is outside the workspace`) : { kind: "found", names };
}
