import { createHash } from "node:crypto";
import { EngineError, type ExecResult, type ExecutionEnvironment } from "@switchyard/contracts";
import { wrapEnvironment } from "@switchyard/environment/wrappers";

/** Where may be written. agent-runtime-package: workspace materialization. */
export interface WriteScope {
  /** `workspace`: everywhere in it; `artifacts`: below the paths; anything else: nowhere. */
  readonly scope: string;
  /** Paths relative to the workspace, folders or files. */
  readonly paths: readonly string[];
}

/** An environment with a write scope. */
export interface ScopedEnvironment {
  /** The environment; it stays open when it is disposed of. */
  readonly environment: ExecutionEnvironment;
  /** Paths outside of the scope that commands added, changed or removed. */
  violations(): readonly string[];
  /** Whether the workspace has more entries than are watched. */
  isPartial(): boolean;
}

/** Entries that are watched at most. */
const MAX_ENTRIES = 20_000;
/** Files up to this size are compared by content. */
const MAX_HASHED_BYTES = 256 * 1024;
const DEPTH = 64;

const FILE_CHANGES: ReadonlySet<string> = new Set(["writeFile", "makeDirectory", "rename", "remove"]);

/**
 * An environment in which writes outside of a scope are refused, when files are written, and noticed, when commands
 * write them; what cannot be written, or is looked at afterwards, need not be watched. agent-runtime-package: workspace materialization.
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

/** Whether something may be written at a path relative to the workspace. */
export function isInside(path: string, { scope, paths }: WriteScope): boolean {
  if (scope === "workspace") return true;
  if (scope !== "artifacts") return false;
  return paths.some((allowed) => {
    const clean = toRelative(allowed, "").replace(/\/+$/u, "");
    // Folders that lead to an artifact come into being with it.
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
  const watched = listed.filter(({ name }) => !isKeptByGit(name));
  const entries = new Map<string, string>();
  for (const { name, kind } of watched.slice(0, MAX_ENTRIES)) {
    entries.set(name, kind === "file" ? await fingerprint(environment, name) : kind);
  }
  return { entries, isPartial: watched.length > MAX_ENTRIES };
}

/** Reading a repository updates its index: what git keeps for itself is no work of the provider, but what it runs is. */
function isKeptByGit(path: string): boolean {
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
    // Gone or unreadable: that is its state.
    return "unreadable";
  }
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
