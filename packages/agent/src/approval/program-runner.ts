/** Words whose arguments are programs, wherever they stand. */
const SHELLS: ReadonlySet<string> = new Set([
  ...["eval", "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh"],
]);
/** Commands whose arguments or input are programs, or name one. */
const STARTERS: ReadonlySet<string> = new Set([
  ...["source", ".", "trap", "xargs", "parallel", "su", "ssh", "watch", "script", "expect", "at", "batch"],
  ...["pwsh", "powershell", "powershell.exe", "cmd", "cmd.exe"],
]);
/** Words that run the command behind them. */
const RUNNERS: ReadonlySet<string> = new Set([
  ...["sudo", "doas", "env", "exec", "command", "builtin", "nohup", "nice", "ionice", "time", "timeout", "setsid"],
  ...["stdbuf", "busybox", "toybox", "chroot", "unshare", "nsenter", "strace", "flock", "npx"],
  ...["if", "then", "elif", "else", "while", "until", "do"],
]);
/** Languages that take a program as an argument, or from their input. */
const LANGUAGE = /^(?:python|perl|ruby|node|nodejs|bun|php|lua|luajit|tclsh|Rscript|osascript)[\d.]*$/;
/** The flag by which they do. */
const INLINE = /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|print|require|import|exec|run)\b)/;
const AWK = /^[gmn]?awk$/;
const WILDCARD = /[*?[]/;

/** The name of a command, without the folders in front of it. */
export function nameOf(command: string): string {
  return command.slice(command.lastIndexOf("/") + 1);
}

/** Whether a language gets its program on the command line or from its input, and from no file. */
function isInlineProgram(args: readonly string[]): boolean {
  const script = args.findIndex((arg) => !arg.startsWith("-") || arg === "-");
  const flags = script < 0 ? args : args.slice(0, script);
  return script < 0 || args[script] === "-" || flags.some((flag) => INLINE.test(flag));
}

/** Whether a command holds a program, or the name of one that only the shell will know. */
function holdsProgram(name: string, args: readonly string[]): boolean {
  if (STARTERS.has(name)) return true;
  if (RUNNERS.has(name)) return args.some((arg) => WILDCARD.test(nameOf(arg)) || /^-[A-Za-z]*S|^--split/.test(arg));
  if (name === "find") return args.some((arg) => /^-(?:exec|ok)/.test(arg)) && args.some((arg) => WILDCARD.test(arg));
  if (AWK.test(name)) return args.some((arg) => /system|getline|[|@]/.test(arg));
  return LANGUAGE.test(name) && isInlineProgram(args);
}

/** Whether words of a command are a program that can run others, or run what only the shell will know. */
export function mayRunAnything(words: readonly string[]): boolean {
  let isCommand = true;
  return words.some((word, index) => {
    const name = nameOf(word);
    if (SHELLS.has(name) || (isCommand && holdsProgram(name, words.slice(index + 1)))) return true;
    // Behind one that runs others any word may be the command: nobody knows the options of all of them.
    isCommand = (isCommand && index > 0) || RUNNERS.has(name);
    return false;
  });
}
