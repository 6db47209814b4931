import { FILE_FUNCTIONS, TREE_FUNCTIONS } from "./file-functions.ts";
import { PATH_FUNCTIONS } from "./path-functions.ts";
import { FACT_FUNCTIONS, PROCESS_FUNCTIONS } from "./process-functions.ts";
import { quoteWord } from "./quote-word.ts";

/**
 * Reads requests from standard input, one a line: a key, an id, an operation and its words. The answer is the output of
 * the operation, then a line with the id and the status, then what it said, then the id again: nobody who does not read
 * the requests can imitate an end. A line without the key means that both sides lost their place: no file's content
 * may be taken for a request, so the shell ends.
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

/** What a lane for files is made for. */
export interface FileLane {
  /** Real path of the workspace. */
  readonly root: string;
  /** How the place's `stat` takes a format. */
  readonly stat: string;
  /** Where open files are found by their descriptor. */
  readonly descriptors: string;
}

/** The script of a lane for files. */
export function renderFileLane(key: string, { root, stat, descriptors }: FileLane): string {
  const settings = { key, root: root === "/" ? "" : root, stat, fd: descriptors };
  return `${PATH_FUNCTIONS}${FILE_FUNCTIONS}${TREE_FUNCTIONS}${renderSettings(settings)}${LOOP}`;
}

/** What the lane that watches over processes is made for. */
export interface WatchLane {
  /** Mark of the processes that are ended when the connection is gone. */
  readonly mark: string;
  /** From SIGTERM to SIGKILL. */
  readonly killGraceMs: number;
}

/**
 * The script of the lane that knows processes. When its input ends, for whatever reason, it ends all that were started:
 * a client that is killed, or a connection that drops, leaves nothing running.
 */
export function renderWatchLane(key: string, { mark, killGraceMs }: WatchLane): string {
  const settings = { key, mark, grace: String(Math.ceil(killGraceMs / 100)), groups: " ", grep: "" };
  const probe = "if printf 'a\\000b' | grep -qzF b 2>/dev/null; then sy_grep=z; fi";
  const functions = `${PATH_FUNCTIONS}${PROCESS_FUNCTIONS}${FACT_FUNCTIONS}`;
  return `${functions}${renderSettings(settings)}trap '' HUP PIPE\n${probe}\n${LOOP}sy_end_all\n`;
}

function renderSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `sy_${name}=${quoteWord(value)}\n`)
    .join("");
}
