import { createHash } from "node:crypto";
import { EngineError, type ExecResult, type ExecutionEnvironment } from "@switchyard/contracts";
import { wrapEnvironment } from "@switchyard/environment/wrappers";

/** Files that a provider's command may write. See agent-runtime-package: workspace materialization. */
export interface WriteScope {
  /**
   * Where writes are allowed. `workspace`: everywhere in the workspace. `artifacts`: only below `paths`. Any other
   * value: nowhere.
   */
  readonly scope: string;
  /** Files or folders, relative to the workspace. */
  readonly paths: readonly string[];
}

/** An environment that enforces a write scope. */
export interface ScopedEnvironment {
  /** Environment that checks writes. Disposing it does not close the wrapped environment. */
  readonly environment: ExecutionEnvironment;
  /** Returns the paths outside the write scope that commands added, changed or removed. */
  violations(): readonly string[];
  /** Returns true if the workspace has too many entries to compare them all, so that some writes may go undetected. */
  isPartial(): boolean;
}

/**
 * Maximum number of files and folders that are compared before and after a command. Writes to further files may go
 * undetected.
 */
const MAX_ENTRIES = 20_000;
/** Maximum size of files that are compared by content, in bytes. Larger files are compared by size and time. */
const MAX_HASHED_BYTES = 256 * 1024;
const DEPTH = 64;

const FILE_CHANGES: ReadonlySet<string> = new Set(["writeFile", "makeDirectory", "rename", "remove"]);

/**
 * Returns an environment that rejects file writes outside a scope, and detects such writes by commands. With
 * `isWatched: false`, writes by commands are not detected. Use this for folders that are protected, or whose changes
 * are compared in another way. See agent-runtime-package: workspace materialization.
 */
export function withWriteScope(
  inner: ExecutionEnvironment,
  scope: WriteScope,
  { isWatched = true }: { readonly isWatched?: boolean } = {},
): ScopedEnvironment {
  const found = new Set<string>();
  let isPartial = false;
  const watch = async (run: () => Promise<ExecResult>): Promise<ExecResult> => {
    if (scope.scope === "workspace" || !isWatched) return run();
    const before = await takeSnapshot(inner);
    try {
      return await run();
    } finally {
      const after = await takeSnapshot(inner);
      isPartial ||= before.isPartial || after.isPartial;
      for (const path of differences(before.entries, after.entries)) if (!isInside(path, scope)) found.add(path);
    }
  };
  const environment = wrapEnvironment(inner, {
    ...{ suffix: "write-scope", keepOpen: true },
    async around(call, run) {
      const outside = FILE_CHANGES.has(call.operation)
        ? call.paths.find((path) => !isInside(toRelative(path, inner.workingDirectory), scope))
        : undefined;
      if (outside !== undefined) throw new EngineError("environment.read_only", { path: outside });
      return run();
    },
    command: (call, run) => watch(() => run(call.options ?? {})),
  });
  return { environment, violations: () => [...found].sort(), isPartial: () => isPartial };
}

/** Returns true if a path relative to the workspace may be written. */
export function isInside(path: string, { scope, paths }: WriteScope): boolean {
  if (scope === "workspace") return true;
  if (scope !== "artifacts") return false;
  return paths.some((allowed) => {
    const clean = toRelative(allowed, "").replace(/\/+$/u, "");
    // Creating the parent folders of an allowed path is also allowed.
    return path === clean || path.startsWith(`${clean}/`) || clean.startsWith(`${path}/`);
  });
}

function toRelative(path: string, root: string): string {
  const inside = root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return inside
    .split("/")
    .filter((step) => step !== "." && step !== "")
    .join("/");
}

interface Snapshot {
  readonly entries: ReadonlyMap<string, string>;
  readonly isPartial: boolean;
}

async function takeSnapshot(environment: ExecutionEnvironment): Promise<Snapshot> {
  const listed = await environment.listDirectory(".", DEPTH);
  const watched = listed.filter(({ name }) => !isGitPath(name));
  const entries = new Map<string, string>();
  for (const { name, kind } of watched.slice(0, MAX_ENTRIES)) {
    entries.set(name, kind === "file" ? await fingerprint(environment, name) : kind);
  }
  return { entries, isPartial: watched.length > MAX_ENTRIES };
}

/**
 * Returns true for git's internal data whose change is not a write by the command. Reading a repository updates its
 * index, so that is ignored. Changes of hooks and settings count as writes.
 */
function isGitPath(path: string): boolean {
  if (path !== ".git" && !path.startsWith(".git/")) return false;
  return path !== ".git/config" && !path.startsWith(".git/hooks/");
}

async function fingerprint(environment: ExecutionEnvironment, path: string): Promise<string> {
  try {
    const { size, modifiedMs } = await environment.stat(path);
    if (size > MAX_HASHED_BYTES) return `${size} ${modifiedMs}`;
    return createHash("sha256")
      .update(await environment.readBytes(path))
      .digest("hex");
  } catch {
    // For a missing or unreadable file, only this fact is compared, not the content.
    return "unreadable";
  }
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
