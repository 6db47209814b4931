import { existsSync, lstatSync } from "node:fs";

/**
 * Runs the command as a child of the first process inside: it stays for what the command left running, at most as long
 * as $1 turns of 20 ms, and its end is the end of everything. `exec` in brackets, as a builtin of the shell must not be
 * run in place of a program; errors of the shell itself go nowhere, as they would look like output of the command; and
 * SIGINT is the command's to answer, not the shell's. It is in folder $2 for certain first: bubblewrap goes there by its
 * path, in which somebody may have put a link since it was checked.
 */
const FIRST_PROCESS = `cd -P . && [ "$PWD" = "$2" ] || { echo "The folder $2 was replaced." >&2; exit 126; }
unset OLDPWD; trap : INT; exec 3>&2 2>/dev/null; n=$1; shift 2; (exec "$@" 2>&3 3>&-); s=$?
exec 3>&-; while set -- /proc/[1-9]*; [ $# -gt 1 ] && [ $n -gt 0 ]; do sleep 0.02; n=$((n - 1)); done; exit $s`;
const TURN_MS = 20;

/** A command for bubblewrap. */
export interface NamespaceCommand {
  /** Path of bubblewrap. */
  readonly program: string;
  /** How the namespaces are made. */
  readonly namespaces: readonly string[];
  /** What is mounted. */
  readonly mounts: readonly string[];
  /** Real path of the folder the command runs in. */
  readonly folder: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Milliseconds that what the command leaves running is waited for. */
  readonly drainMs: number;
}

/**
 * The whole argument list.
 *
 * It is made here and not by a library: @anthropic-ai/sandbox-runtime, which was looked at, keeps the rules of a
 * process in one module, where two environments would overwrite each other's; takes command lines and no argument
 * lists; and leaves a file behind in the workspace for each protected name that did not exist.
 */
export function renderNamespaceCommand(command: NamespaceCommand): string[] {
  const turns = String(Math.max(1, Math.ceil(command.drainMs / TURN_MS)));
  return [
    command.program,
    ...command.mounts,
    ...command.namespaces,
    // A session of its own, whose group signals reach; nothing outlives the monitor, which dies with this process.
    ...["--unshare-pid", "--new-session", "--die-with-parent", "--as-pid-1"],
    ...["--chdir", command.folder, "--", "/bin/sh", "-c", FIRST_PROCESS, "sh", turns, command.folder],
    ...command.argv,
  ];
}

/** What is mounted for a command of a sandbox. Paths are absolute and real. */
export interface SandboxMounts {
  /** The workspace. */
  readonly root: string;
  /** What commands see as `/tmp` and `/var/tmp`, and an empty folder. */
  readonly folders: { readonly temporary: string; readonly largeTemporary: string; readonly empty: string };
  /** Folders outside of the workspace that may be read even if something hides them. */
  readonly readable: readonly string[];
  /** Folders and files outside of the workspace that may be written to. */
  readonly writable: readonly string[];
  /** What must not be seen. */
  readonly hidden: readonly string[];
  /** What must not be changed. */
  readonly protection: {
    readonly held: readonly string[];
    readonly readOnly: readonly string[];
    readonly missing: readonly string[];
  };
  /** Whether the commands are root of the machine itself, whom the files of `/proc/sys` obey. */
  readonly isRealRoot: boolean;
  /** Whether the network can be reached. */
  readonly hasNetwork: boolean;
}

/** Sockets of services live in it: of a container engine, for instance, which would give everything away. */
const RUN = "/run";
/** What programs need of it: those of NixOS, and the name servers where there is a network. */
const KEPT_OF_RUN = ["/run/current-system", "/run/opengl-driver"] as const;
const NAME_SERVERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"] as const;

/** The mounts of a sandbox, outermost first: a later one lies over what an earlier one put there. */
export function renderSandboxMounts(mounts: SandboxMounts): string[] {
  const { root, folders, writable, hidden, protection } = mounts;
  // Below the workspace or what is writable, a hidden path can only be covered once that is mounted.
  const isInner = (path: string): boolean => [root, ...writable].some((folder) => isAtOrBelow(folder, path));
  // What lies below these is out of sight already.
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
    // Last, as the folders that mounts lie in had to be made in them.
    ...emptied.flatMap((path) => ["--remount-ro", path]),
  ];
}

function renderProtection({ held, readOnly, missing }: SandboxMounts["protection"], empty: string): string[] {
  const mounts = [
    ...held.map((path) => [path, ["--bind", path, path]] as const),
    ...readOnly.map((path) => [path, ["--ro-bind", path, path]] as const),
    ...missing.map((path) => [path, ["--ro-bind", empty, path]] as const),
  ];
  // A folder before what is in it, which it would cover.
  return mounts.sort(([one], [other]) => one.length - other.length).flatMap(([, mount]) => mount);
}

function isFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}

/** Whether a path is another one or below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
