import { NEWLINE_VARIABLE, quoteArgument, quoteArguments } from "./quote-argument.ts";

/**
 * First byte of a report of the command script, before the id: the control character "record separator". Output that
 * ends with this byte is held back, because a report may follow. This is rare, because few programs write the byte.
 */
export const REPORT_START = "\x1e";

/**
 * Script of the first process of a new session. It reads one line of shell code and executes it: the line changes to
 * the working folder, sets the variables and names the program. The rest of standard input belongs to the program.
 * Descriptor 4 is the client's standard error. Descriptor 6 is a pipe to the outer shell, which waits for the exit.
 */
const LEADER = `
exec 2>/dev/null
sy_id=$1
if [ "$2" = yields ]; then
  IFS= read -r sy_m </proc/self/oom_score_adj && echo "$((sy_m > 700 ? 1000 : sy_m + 300))" >/proc/self/oom_score_adj
fi
${NEWLINE_VARIABLE}='
'
sy_say() { printf '\\036%s %s %s\\n' "$sy_id" "$1" "$2" >&4; }
sy_stop() { sy_say fail "$1"; exit 9; }
sy_cd() {
  if cd -P -- "$1"; then
    case $PWD/ in "$2"/*) return ;; esac
    sy_stop @EOUTSIDE
  fi
  sy_stop "$(LC_ALL=C ls -Ld -- "$1/." 2>&1 >/dev/null)"
}
sy_go() {
  case $1 in
  */*)
    [ -e "$1" ] || sy_stop @MISSING
    { [ -f "$1" ] && [ -x "$1" ]; } || sy_stop @DENIED
    ;;
  *)
    sy_w=@MISSING sy_i=$IFS sy_a=$1
    IFS=:
    set -f
    for sy_d in $PATH; do
      [ -f "\${sy_d:-.}/$1" ] || continue
      sy_w=@DENIED
      if [ -x "\${sy_d:-.}/$1" ]; then sy_w=; break; fi
    done
    IFS=$sy_i
    [ -z "$sy_w" ] || sy_stop "$sy_w"
    case $1 in -*) shift; set -- "\${sy_d:-.}/$sy_a" "$@" ;; esac
    ;;
  esac
  printf '+%s\\n' "$$" >&6
  sy_say start "$$"
  [ -z "\${BASH_VERSION-}" ] || SHLVL=$((\${SHLVL:-0} + 1))
  exec "$@" 2>&4 4>&- 6>&-
}
IFS= read -r sy_l || sy_stop @EOF
eval "$sy_l"
`;

const NEW_SESSION: Readonly<Record<string, string>> = {
  setsid: "exec setsid",
  perl: `exec perl -e 'use POSIX; POSIX::setsid(); exec {$ARGV[0]} @ARGV'`,
};

/**
 * How a script handles its standard input after the command has ended. `none`: the command has no input, so do nothing.
 * `end`: the command has no input, but wait until the client closes the stream. `all`: read and discard the rest of the
 * input.
 */
export type UnreadInput = "none" | "end" | "all";

const TAKE_REST: Readonly<Record<UnreadInput, string>> = {
  none: "",
  end: "IFS= read -r sy_l",
  all: "exec cat >/dev/null 2>&1",
};

/** Options for running a command. */
export interface CommandScript {
  /** Program that starts a command in a new session. Empty if none is installed. */
  readonly session: string;
  readonly restOfInput: UnreadInput;
  /** True if, when memory runs out, the command is killed before the shells that monitor it. */
  readonly yieldsMemory: boolean;
}

/**
 * Returns the script of one command. The command inherits the standard streams of the script. On standard error, lines
 * that start with `REPORT_START` and the id report the start, the process id and the exit. The exit is reported because
 * the client's exit code is unreliable. The line about the exit is also written to standard output, after the command's
 * output. The shell's own message about a signal is suppressed for common signals. `restOfInput` selects how unread
 * input is discarded, because a client may lose the last output of a script that exits with unread input.
 */
export function renderCommand(id: string, { session, restOfInput, yieldsMemory }: CommandScript): string {
  const start = NEW_SESSION[session] ?? "exec";
  return `[ -z "\${BASH_VERSION-}" ] || set +o posix
exec 4>&2 5>&1
{
  ( ${start} sh -c ${quoteScript(LEADER)} sh ${id} ${yieldsMemory ? "yields" : "-"} 6>&1 >&5 5>&- )
  echo "@$?"
} 2>&1 | {
  sy_c=255 sy_s=- sy_p= sy_r=-
  while IFS= read -r sy_l; do
    case $sy_l in @*) sy_c=\${sy_l#@} ;; +*) sy_p=\${sy_l#+} ;; *) sy_s=signal ;; esac
  done
  case $sy_c in 130 | 141 | 143) sy_s=signal ;; esac
  if [ -n "$sy_p" ] && kill -0 "-$sy_p" 2>/dev/null; then sy_r=rest; fi
  printf '\\036%s end %s %s %s\\n' ${id} "$sy_c" "$sy_s" "$sy_r" >&4
  printf '\\036%s\\n' ${id} >&5
}
${TAKE_REST[restOfInput]}
`;
}

// Quotes a script of several lines as one shell word. Line feeds are allowed, unlike in a one-line request.
function quoteScript(script: string): string {
  return `'${script.replaceAll("'", "'\\''")}'`;
}

/** Input for starting a command. */
export interface CommandLine {
  /** Working folder. */
  readonly folder: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Names of variables of the remote environment that the command must not see. */
  readonly unset: readonly string[];
  /** Variables to set. */
  readonly set: Readonly<Record<string, string>>;
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** True if the command receives standard input. */
  readonly hasInput: boolean;
}

/**
 * Returns the first input line of a command script: it contains the command. Because the command is passed as input, it
 * does not appear in the arguments of the client program.
 */
export function renderCommandLine({ folder, root, unset, set, argv, hasInput }: CommandLine): string {
  const exports = Object.entries(set).map(([name, value]) => `${name}=${quoteArgument(value)}`);
  const steps = [
    `sy_cd ${quoteArguments([folder, root === "/" ? "" : root])}`,
    ...(unset.length > 0 ? [`unset ${unset.join(" ")}`] : []),
    ...(exports.length > 0 ? [`export ${exports.join(" ")}`] : []),
    ...(hasInput ? [] : ["exec </dev/null"]),
    `sy_go ${quoteArguments(argv)}`,
  ];
  return `${steps.join("; ")}\n`;
}
