import { existsSync, lstatSync } from "node:fs";

/**
 * Runs the command as a child of the first process inside the namespace. That process waits for leftover processes, at
 * most $1 times 20 ms; when it exits, everything ends. `exec` runs in parentheses so that a shell builtin is not run
 * instead of a program. Errors of the shell are discarded because they would look like output of the command. SIGINT is
 * left to the command. The working folder $2 is verified first: bubblewrap enters it by path, in which a link may have
 * been created since the check.
 */
const FIRST_PROCESS = `cd -P . && [ "$PWD" = "$2" ] || { echo "The folder $2 was replaced." >&2; exit 126; }
unset OLDPWD; trap : INT; exec 3>&2 2>/dev/null; n=$1; shift 2; (exec "$@" 2>&3 3>&-); s=$?
exec 3>&-; while set -- /proc/[1-9]*; [ $# -gt 1 ] && [ $n -gt 0 ]; do sleep 0.02; n=$((n - 1)); done; exit $s`;
const TURN_MS = 20;

/** A command for bubblewrap. */
export interface NamespaceCommand {
  /** Path of bubblewrap. */
  readonly program: string;
  /** Arguments that create the namespaces. */
  readonly namespaces: readonly string[];
  /** Arguments that create the mounts. */
  readonly mounts: readonly string[];
  /** Real path of the command's working folder. */
  readonly folder: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Time to wait for processes that the command leaves running, in milliseconds. */
  readonly drainMs: number;
}

/**
 * Returns the complete argument list.
 *
 * Built here instead of using @anthropic-ai/sandbox-runtime: that library keeps the rules of a process in one module,
 * where two environments would overwrite each other. It accepts command lines but no argument arrays, and leaves a file
 * in the workspace for each protected name that did not exist.
 */
export function renderNamespaceCommand(command: NamespaceCommand): string[] {
  const turns = String(Math.max(1, Math.ceil(command.drainMs / TURN_MS)));
  return [
    command.program,
    ...command.mounts,
    ...command.namespaces,
    // A separate session, whose group receives signals. All processes die with the monitor, which dies with this
    // process.
    ...["--unshare-pid", "--new-session", "--die-with-parent", "--as-pid-1"],
    ...["--chdir", command.folder, "--", "/bin/sh", "-c", FIRST_PROCESS, "sh", turns, command.folder],
    ...command.argv,
  ];
}

/** Mounts for a sandboxed command. Paths are absolute and real. */
export interface SandboxMounts {
  /** The workspace. */
  readonly root: string;
  /** Folders mounted as `/tmp` and `/var/tmp`, and an empty folder. */
  readonly folders: { readonly temporary: string; readonly largeTemporary: string; readonly empty: string };
  /** Folders outside the workspace that are readable even if a parent is hidden. */
  readonly readable: readonly string[];
  /** Folders and files outside the workspace that are writable. */
  readonly writable: readonly string[];
  /** Paths that are invisible. */
  readonly hidden: readonly string[];
  /** Paths that are read-only. */
  readonly protection: {
    readonly held: readonly string[];
    readonly readOnly: readonly string[];
    readonly missing: readonly string[];
  };
  /** True if commands run as the machine's real root, which can write files in `/proc/sys`. */
  readonly isRealRoot: boolean;
  /** True if the network is reachable. */
  readonly hasNetwork: boolean;
}

/** Contains sockets of services, such as a container engine, which would defeat the sandbox. */
const RUN = "/run";
/** Paths in it that programs need: those of NixOS, and name resolution if there is a network. */
const KEPT_OF_RUN = ["/run/current-system", "/run/opengl-driver"] as const;
const NAME_SERVERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"] as const;

/** Returns the mounts of a sandbox, outermost first: a later mount covers an earlier one. */
export function renderSandboxMounts(mounts: SandboxMounts): string[] {
  const { root, folders, writable, hidden, protection } = mounts;
  // A hidden path below the workspace or a writable folder can be covered only after that folder is mounted.
  const isInner = (path: string): boolean => [root, ...writable].some((folder) => isAtOrBelow(folder, path));
  // Paths below these are already invisible.
  const isCovered = (path: string): boolean => [RUN, "/tmp", "/var/tmp"].some((folder) => isAtOrBelow(folder, path));
  const outer = hidden.filter((path) => !isInner(path) && !isCovered(path) && existsSync(path));
  const inner = hidden.filter((path) => isInner(path) && existsSync(path));
  const emptied = [RUN, ...outer.filter(isFolder)];
  const kept = mounts.hasNetwork ? [...KEPT_OF_RUN, ...NAME_SERVERS] : KEPT_OF_RUN;
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(mounts.isRealRoot ? ["--remount-ro", "/proc"] : []),
    ...emptied.flatMap((path) => ["--tmpfs", path]),
    ...outer.filter((path) => !isFolder(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...kept.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--bind", folders.temporary, "/tmp", "--bind", folders.largeTemporary, "/var/tmp"],
    ...["--bind", root, root],
    ...mounts.readable.flatMap((path) => ["--ro-bind-try", path, path]),
    ...writable.flatMap((path) => ["--bind-try", path, path]),
    ...renderProtection(protection, folders.empty),
    ...inner.flatMap((path) => ["--ro-bind", isFolder(path) ? folders.empty : "/dev/null", path]),
    // Last, because mount points had to be created in them.
    ...emptied.flatMap((path) => ["--remount-ro", path]),
  ];
}

function renderProtection({ held, readOnly, missing }: SandboxMounts["protection"], empty: string): string[] {
  const mounts = [
    ...held.map((path) => [path, ["--bind", path, path]] as const),
    ...readOnly.map((path) => [path, ["--ro-bind", path, path]] as const),
    ...missing.map((path) => [path, ["--ro-bind", empty, path]] as const),
  ];
  // A folder before its contents, which it would cover.
  return mounts.sort(([one], [other]) => one.length - other.length).flatMap(([, mount]) => mount);
}

function isFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}

/** Returns whether a path equals a folder or is below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
