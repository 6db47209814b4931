import { EngineError } from "@switchyard/contracts";
import type { CommandInvocation, ExecutorProvider } from "../manifest/runtime-manifest.ts";

/**
 * A command: a list of arguments, or a shell command line if the command's text needs a shell. See architecture:
 * decision 16.
 */
export type CommandLine =
  | { readonly kind: "argv"; readonly argv: readonly string[] }
  | { readonly kind: "shell"; readonly command: string };

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/gu;

/**
 * Returns the command of a provider, with `{{runtime_path}}` replaced by the package's folder. The command never
 * contains data of a request. Throws `runtime.manifest_invalid` for any other placeholder. See agent-runtime-package:
 * runtime_path interpolation.
 */
export function commandLineOf(provider: ExecutorProvider, runtimePath: string): CommandLine {
  const argv = provider.invocation?.argv ?? provider.command_argv;
  if (argv !== undefined)
    return { kind: "argv", argv: argv.map((argument) => interpolate(argument, runtimePath, provider)) };
  const command = provider.command ?? "";
  const args = splitArguments(command);
  // The command is split before the package's folder is inserted, so that spaces in the path do not split it.
  if (args !== undefined) {
    return { kind: "argv", argv: args.map((argument) => interpolate(argument, runtimePath, provider)) };
  }
  return { kind: "shell", command: interpolateInShell(command, runtimePath, provider) };
}

function isRuntimePath(name: string): boolean {
  return name === "runtime_path" || name === "extension_path";
}

/**
 * Returns a text from a manifest in which the placeholder `{{runtime_path}}` is replaced with the package's folder.
 * Other braces are unchanged. See agent-runtime-package: runtime_path interpolation.
 */
export function withRuntimePath(text: string, runtimePath: string): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => (isRuntimePath(name) ? runtimePath : placeholder));
}

/** Returns the environment variables of a command, with the package's folder inserted in their values. */
export function variablesOf({ env = {} }: Pick<CommandInvocation, "env">, runtimePath: string): Record<string, string> {
  const entries = Object.entries(env).map(([name, value]) => [name, withRuntimePath(value, runtimePath)]);
  return Object.fromEntries(entries);
}

function interpolate(text: string, runtimePath: string, { id }: ExecutorProvider): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    if (isRuntimePath(name)) return runtimePath;
    const problem = `the command contains the unknown placeholder {{${name}}}`;
    throw new EngineError("runtime.manifest_invalid", { path: `of ${id}`, problem });
  });
}

/**
 * Inserts the package's folder into a shell command line. The path is quoted correctly, even inside existing quotes.
 */
function interpolateInShell(command: string, runtimePath: string, provider: ExecutorProvider): string {
  let quote = "";
  let result = "";
  for (let index = 0; index < command.length; index += 1) {
    const character = command.charAt(index);
    const end = command.startsWith("{{", index) ? command.indexOf("}}", index) : -1;
    if (end >= 0) {
      const path = interpolate(command.slice(index, end + 2), runtimePath, provider);
      // If the path is inserted inside quotes, the quotes are closed before the path and reopened after it.
      result += `${quote}'${path.replaceAll("'", `'\\''`)}'${quote}`;
      index = end + 1;
      continue;
    }
    if (character === "\\" && quote !== "'") {
      result += command.slice(index, index + 2);
      index += 1;
      continue;
    }
    if (character === quote) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) quote = character;
    result += character;
  }
  return result;
}

// Matches characters that a shell interprets: operators, substitutions, patterns and comments.
const SHELL_CHARACTERS = /[|&;<>()$`*?[\]#~\n]/u;

/** Returns the words of a command that needs no shell. `undefined` if the command needs a shell. */
function splitArguments(command: string): string[] | undefined {
  const args: string[] = [];
  let argument: string | undefined;
  for (let index = 0; index < command.length; index += 1) {
    const character = command.charAt(index);
    if (character === "'" || character === '"') {
      const end = command.indexOf(character, index + 1);
      const inner = command.slice(index + 1, end);
      if (end < 0 || (character === '"' && /[$`\\]/u.test(inner))) return undefined;
      argument = (argument ?? "") + inner;
      index = end;
    } else if (/\s/u.test(character) && character !== "\n") {
      if (argument !== undefined) args.push(argument);
      argument = undefined;
    } else if (command.startsWith("{{", index) && command.indexOf("}}", index) > 0) {
      const end = command.indexOf("}}", index);
      argument = (argument ?? "") + command.slice(index, end + 2);
      index = end + 1;
    } else if (character === "\\" || SHELL_CHARACTERS.test(character) || /[{}]/u.test(character)) {
      return undefined;
    } else {
      argument = (argument ?? "") + character;
    }
  }
  if (argument !== undefined) args.push(argument);
  const [program = ""] = args;
  // A shell is needed if the command starts with an assignment (`NAME=value program`) or a shell builtin.
  if (program === "" || program.includes("=") || SHELL_KEYWORDS.has(program)) return undefined;
  return args;
}

const SHELL_KEYWORDS: ReadonlySet<string> = new Set([
  ...["cd", "export", "exec", "source", ".", "set", "unset", "eval", "if", "for", "while", "until", "case", "!"],
  ...["trap", "ulimit", "umask", "exit", ":", "{", "}"],
]);
