import { onlyPrints } from "./check-command.ts";
import { findSubcommand } from "./check-form.ts";
import type { Program } from "./program.ts";
import { findProgram, nameOf } from "./program-table.ts";

const RESERVED: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do"]);
/** Flags with which an interpreter takes program code as an argument, such as `-c`. */
const INLINE = /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|print|require|import|exec|run)\b)/;
/** Matches constructs that run programs, in awk, SQL shells and other small languages. */
const CODE = /system|getline|shell|exec|popen|\\!|[|@`]/i;
/** Matches sed's command `e` and the flag `e` of its command `s`, which both run programs. */
const SED_EXECUTE = /(?:^|[;{}\n!\d$,/ ])e(?:\s|$)|[^\w\s][gpiIm\d]*e[gpiIm\d]*\s*(?:$|[;}\n])/;
const WILDCARD = /[*?[]/;

function isShell(program: Program | undefined): boolean {
  return program?.wraps?.lineOption !== undefined || program?.names.includes("eval") === true;
}

/** Returns true if an interpreter takes its program from the command line or standard input, not from a file. */
function isInlineProgram(args: readonly string[]): boolean {
  const script = args.findIndex((arg) => !arg.startsWith("-") || arg === "-");
  const flags = script < 0 ? args : args.slice(0, script);
  return script < 0 || args[script] === "-" || flags.some((flag) => INLINE.test(flag));
}

/** Returns true if the subcommand may be a user-defined alias, which can stand for any command. */
function isAlias(args: readonly string[], program: Program, builtins: string): boolean {
  const word = args[findSubcommand(["", ...args], program).index - 1];
  return word !== undefined && !builtins.split(" ").includes(word);
}

/** Returns true if a command contains program text, or a program name that only the shell can expand. */
function holdsProgram(program: Program, args: readonly string[]): boolean {
  const { hides, wraps, builtins } = program;
  if (hides === "always") return true;
  if (hides === "inline") return isInlineProgram(args);
  if (builtins !== undefined) return isAlias(args, program, builtins) || args.some((arg) => arg.startsWith("ext::"));
  if (hides === "code") return args.some((arg) => CODE.test(arg));
  if (hides === "sed") return args.some((arg) => !/^-\w*$/.test(arg) && SED_EXECUTE.test(arg));
  if (hides === "subscript") return args.some((arg) => /\$\(|`/.test(arg));
  if (wraps?.clauses !== undefined) {
    return args.some((arg) => /^-(?:exec|ok|x$|X$|-exec)/.test(arg)) && args.some((arg) => WILDCARD.test(arg));
  }
  if (wraps?.skip === undefined) return false;
  return args.some((arg) => WILDCARD.test(nameOf(arg)) || /^-[A-Za-z]*S|^--split/.test(arg));
}

/** Returns true if a command can run arbitrary programs, or a program whose name only the shell can expand. */
export function mayRunAnyProgram(words: readonly string[]): boolean {
  const first = findProgram(words[0] ?? "");
  if (first?.wraps?.prints !== undefined && onlyPrints(words, first)) return false;
  let isCommand = true;
  return words.some((word, index) => {
    const program = findProgram(word);
    if (isShell(program)) return true;
    if (isCommand && program !== undefined && holdsProgram(program, words.slice(index + 1))) return true;
    // After a program such as `sudo` that runs other programs, any later word may be the inner command.
    isCommand = (isCommand && index > 0) || program?.wraps?.skip !== undefined || RESERVED.has(word);
    return false;
  });
}
