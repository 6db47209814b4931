import { FILE_FUNCTIONS, TREE_FUNCTIONS } from "./file-functions.ts";
import { PATH_FUNCTIONS } from "./path-functions.ts";
import { FACT_FUNCTIONS, PROCESS_FUNCTIONS } from "./process-functions.ts";
import { quoteArgument } from "./quote-argument.ts";

/**
 * Main loop of a remote shell. It reads requests from standard input, one per line: key, id, operation, arguments. The
 * response is the operation's output, a line with id and status, the message, and the id again. Files cannot contain
 * the random id, so that their content cannot imitate the end of a response. A line without the key means that both
 * sides are out of sync; the shell then exits, because file content must never be read as a request.
 */
const LOOP = `
export LC_ALL=C
exec 3>&1
while IFS= read -r sy_line; do
  case $sy_line in "$sy_key "*) ;; *) exit 1 ;; esac
  eval "set -- \${sy_line#* }" || exit 1
  sy_id=$1 sy_op=$2
  shift 2
  case $sy_op in
  know) sy_groups="$sy_groups$1 "; continue ;;
  forget) sy_groups="\${sy_groups%% $1 *} \${sy_groups#* $1 }"; continue ;;
  write) sy_said=$("sy_op_$sy_op" "$@" 2>&1 >&3) ;;
  *) sy_said=$("sy_op_$sy_op" "$@" 2>&1 >&3 </dev/null) ;;
  esac
  sy_status=$?
  printf '%s %s\\n%s\\n%s\\n' "$sy_id" "$sy_status" "$sy_said" "$sy_id"
done
`;

/** Settings of a remote shell that handles file requests. */
export interface FileShellScript {
  /** Real path of the workspace. */
  readonly root: string;
  /** Option with which the remote `stat` accepts a format: `c`, `C` or `f`. */
  readonly stat: string;
  /** Path of a folder that lists a process's open files by descriptor, such as `/proc/self/fd`. */
  readonly descriptors: string;
}

/** Returns the script of a remote shell that handles file requests. */
export function renderFileShell(key: string, { root, stat, descriptors }: FileShellScript): string {
  const settings = { key, root: root === "/" ? "" : root, stat, fd: descriptors };
  return `${PATH_FUNCTIONS}${FILE_FUNCTIONS}${TREE_FUNCTIONS}${renderSettings(settings)}${LOOP}`;
}

/** Settings of the remote shell that tracks processes. */
export interface WatchShellScript {
  /**
   * Mark (unique id) in the environment variables of processes. If the connection is lost, processes with this mark are
   * ended.
   */
  readonly mark: string;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
}

/**
 * Returns the script of the remote shell that tracks processes. When the shell's input ends for any reason, the script
 * ends all started processes. So a killed client or a dropped connection leaves nothing running.
 */
export function renderWatchShell(key: string, { mark, killGraceMs }: WatchShellScript): string {
  const settings = { key, mark, grace: String(Math.ceil(killGraceMs / 100)), groups: " ", grep: "" };
  const probe = "if printf 'a\\000b' | grep -qzF b 2>/dev/null; then sy_grep=z; fi";
  const functions = `${PATH_FUNCTIONS}${PROCESS_FUNCTIONS}${FACT_FUNCTIONS}`;
  return `${functions}${renderSettings(settings)}trap '' HUP PIPE\n${probe}\n${LOOP}sy_end_all\n`;
}

function renderSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `sy_${name}=${quoteArgument(value)}\n`)
    .join("");
}
