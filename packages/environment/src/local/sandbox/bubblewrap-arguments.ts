import { existsSync, lstatSync } from "node:fs";
import { PROXY_SOCKET, SOCKET_FOLDER } from "../../relay/relay-command.ts";

/**
 * Script of the first process in the namespace, which starts the command as its child. After the command's exit, the
 * script waits for remaining processes, at most $1 times 20 ms. When the script exits, the kernel ends all remaining
 * processes. `exec` runs in parentheses so that a shell builtin is not run instead of a program. Errors of the shell
 * are discarded because they would look like output of the command. The script itself ignores SIGINT, which the command
 * receives too. The script first verifies the working folder $2: bubblewrap enters it by path, and a folder of this
 * path may have been replaced by a link since the caller's check.
 */
const FIRST_PROCESS = `cd -P . && [ "$PWD" = "$2" ] || { echo "The folder $2 was replaced." >&2; exit 126; }
unset OLDPWD; trap : INT; exec 3>&2 2>/dev/null; n=$1; shift 2; (exec "$@" 2>&3 3>&-); s=$?
exec 3>&-; while set -- /proc/[1-9]*; [ $# -gt 1 ] && [ $n -gt 0 ]; do sleep 0.02; n=$((n - 1)); done; exit $s`;
/**
 * Part of the script that starts a relay, a program that passes connections out of the sandbox. The relay's command is
 * in the first four arguments of the script. The relay gets no environment variables, because those of the user's
 * command could change how the relay is interpreted. The script continues when the relay closes its output.
 */
const START_RELAY = `[ "$(env -i "$1" "$2" "$3" "$4" 3>&- &)" = ok ] ||
{ echo "The relay of this environment did not start." >&3; exit 126; }; shift 4; `;
/**
 * The script with an additional step that starts a relay, a program that passes connections out of the sandbox. The
 * relay runs until the script exits, so the script waits for other remaining processes but not for the relay.
 */
const FIRST_PROCESS_WITH_RELAY = FIRST_PROCESS.replace('(exec "$@"', `${START_RELAY}(exec "$@"`).replace(
  "-gt 1",
  "-gt 2",
);
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
  /** Time, in milliseconds, to wait for processes that are still running after the command has exited. */
  readonly drainMs: number;
  /**
   * Command that starts a relay beside the user's command: exactly four arguments. The relay passes connections out of
   * the sandbox. `undefined`: no relay.
   */
  readonly relay?: readonly string[] | undefined;
}

/**
 * Returns the complete argument list for bubblewrap, the program included.
 *
 * The library @anthropic-ai/sandbox-runtime is not used. It stores its rules once per process, so two environments
 * would overwrite each other's rules. It also accepts no argument arrays. For each protected file that does not exist,
 * it leaves an empty file in the workspace.
 */
export function renderNamespaceCommand(command: NamespaceCommand): string[] {
  const turns = String(Math.max(1, Math.ceil(command.drainMs / TURN_MS)));
  const { relay = [] } = command;
  const script = relay.length === 0 ? FIRST_PROCESS : FIRST_PROCESS_WITH_RELAY;
  return [
    command.program,
    ...command.mounts,
    ...command.namespaces,
    // The command gets a separate session, so that its process group can be signalled.
    // All processes of the command end when bubblewrap exits, and bubblewrap is killed when this process exits.
    ...["--unshare-pid", "--new-session", "--die-with-parent", "--as-pid-1"],
    ...["--chdir", command.folder, "--", "/bin/sh", "-c", script, "sh", turns, command.folder],
    ...relay,
    ...command.argv,
  ];
}

/** Mounts for a sandboxed command. Paths are absolute and real. */
export interface SandboxMounts {
  /** The workspace. */
  readonly root: string;
  /**
   * Host folders that are mounted as `/tmp` and `/var/tmp`, and an empty folder that is mounted over hidden folders.
   */
  readonly folders: { readonly temporary: string; readonly largeTemporary: string; readonly empty: string };
  /** Folders outside the workspace that are readable even if a parent folder is hidden. */
  readonly readable: readonly string[];
  /** Folders and files outside the workspace that are writable. */
  readonly writable: readonly string[];
  /** Paths that are invisible. */
  readonly hidden: readonly string[];
  /** Paths that are read-only. */
  readonly protection: {
    readonly parents: readonly string[];
    readonly readOnly: readonly string[];
    readonly missing: readonly string[];
  };
  /**
   * True if commands run as the machine's real root, not as root of a user namespace. Real root could write files in
   * `/proc/sys`.
   */
  readonly isRealRoot: boolean;
  /** True if the network is reachable. */
  readonly hasNetwork: boolean;
  /** Path of a Unix socket that commands see as `PROXY_SOCKET`. `undefined`: none. */
  readonly proxySocket?: string | undefined;
  /** Path of a folder with Unix sockets that commands see as `SOCKET_FOLDER`. `undefined`: none. */
  readonly socketFolder?: string | undefined;
}

/**
 * Folder that commands cannot see, because it contains sockets of system services. Access to a service such as a
 * container engine would defeat the sandbox.
 */
const RUN = "/run";
/**
 * Paths below `/run` that commands can see because programs need them: NixOS files, and files for name resolution if
 * the network is reachable.
 */
const VISIBLE_IN_RUN = ["/run/current-system", "/run/opengl-driver"] as const;
const NAME_SERVERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"] as const;

/** Returns the mounts of a sandbox, outermost first: a later mount covers an earlier one. */
export function renderSandboxMounts(mounts: SandboxMounts): string[] {
  const { root, folders, writable, hidden, protection } = mounts;
  // Hidden paths below the workspace or a writable folder are covered later, after these folders are mounted.
  const isInner = (path: string): boolean => [root, ...writable].some((folder) => isAtOrBelow(folder, path));
  // Hidden paths below these folders need no mount: an empty or separate folder is mounted over the whole folder.
  const isCovered = (path: string): boolean => [RUN, "/tmp", "/var/tmp"].some((folder) => isAtOrBelow(folder, path));
  const outer = hidden.filter((path) => !isInner(path) && !isCovered(path) && existsSync(path));
  const inner = hidden.filter((path) => isInner(path) && existsSync(path));
  const emptied = [RUN, ...outer.filter(isFolder)];
  const visible = mounts.hasNetwork ? [...VISIBLE_IN_RUN, ...NAME_SERVERS] : VISIBLE_IN_RUN;
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(mounts.isRealRoot ? ["--remount-ro", "/proc"] : []),
    ...emptied.flatMap((path) => ["--tmpfs", path]),
    ...outer.filter((path) => !isFolder(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...visible.flatMap((path) => ["--ro-bind-try", path, path]),
    ...(mounts.proxySocket === undefined ? [] : ["--ro-bind", mounts.proxySocket, PROXY_SOCKET]),
    ...(mounts.socketFolder === undefined ? [] : ["--ro-bind", mounts.socketFolder, SOCKET_FOLDER]),
    ...["--bind", folders.temporary, "/tmp", "--bind", folders.largeTemporary, "/var/tmp"],
    ...["--bind", root, root],
    ...mounts.readable.flatMap((path) => ["--ro-bind-try", path, path]),
    ...writable.flatMap((path) => ["--bind-try", path, path]),
    ...renderProtection(protection, folders.empty),
    ...inner.flatMap((path) => ["--ro-bind", isFolder(path) ? folders.empty : "/dev/null", path]),
    // The empty folders become read-only last, because the mount points in them must be created first.
    ...emptied.flatMap((path) => ["--remount-ro", path]),
  ];
}

function renderProtection({ parents, readOnly, missing }: SandboxMounts["protection"], empty: string): string[] {
  const mounts = [
    ...parents.map((path) => [path, ["--bind", path, path]] as const),
    ...readOnly.map((path) => [path, ["--ro-bind", path, path]] as const),
    ...missing.map((path) => [path, ["--ro-bind", empty, path]] as const),
  ];
  // A folder is mounted before the paths inside it. Mounted later, it would cover them.
  return mounts.sort(([one], [other]) => one.length - other.length).flatMap(([, mount]) => mount);
}

function isFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}

/** Returns whether a path equals a folder or is below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
