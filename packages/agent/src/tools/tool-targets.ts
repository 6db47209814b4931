import type { ToolArguments, ToolTargets } from "@switchyard/contracts";
import { optionalText, textArgument, textList } from "./tool-argument.ts";

const WILDCARD = /[*?[\]{}\\]/;

/** Returns the folder that contains all possible matches of a glob pattern. */
function baseOf(pattern: string): string {
  const names = pattern.split("/");
  const wild = names.findIndex((name) => WILDCARD.test(name));
  if (wild < 0) return pattern;
  // A `..` after a wildcard may lead out of the folder before the wildcard.
  if (names.slice(wild).some((name) => name.includes(".."))) return ".";
  return names.slice(0, wild).join("/") || (pattern.startsWith("/") ? "/" : ".");
}

/** Returns the file that a call names. */
export function fileTarget(args: ToolArguments): ToolTargets {
  return { paths: [textArgument(args, "file_path")] };
}

/** Returns the folder that a call lists. */
export function folderTarget(args: ToolArguments): ToolTargets {
  return { paths: [optionalText(args, "path") ?? "."] };
}

/** Returns the folder tree that a call searches. The search omits files that the approval decision hides. */
export function searchTarget(args: ToolArguments): ToolTargets {
  return { trees: [optionalText(args, "path") ?? "."], omitsHiddenFiles: true };
}

/** Returns the folder in which a call searches for file names. The call does not read file contents. */
export function globTarget(args: ToolArguments): ToolTargets {
  const [path, base] = [optionalText(args, "path") ?? ".", baseOf(textArgument(args, "pattern"))];
  return { paths: [base.startsWith("/") ? base : `${path}/${base}`] };
}

/**
 * Returns the files that a call names and the folders that its patterns search. A text with wildcards counts as both,
 * because it may be a file name.
 */
export function batchTarget(args: ToolArguments): ToolTargets {
  const paths = textList(args, "paths");
  return { paths, trees: paths.filter((path) => WILDCARD.test(path)).map(baseOf) };
}

/** Returns the command that a call runs and its working directory. */
export function commandTarget(args: ToolArguments): ToolTargets {
  const [command, cwd] = [textArgument(args, "command"), optionalText(args, "cwd")];
  return cwd === undefined ? { command } : { command, cwd };
}

/** Returns the URL that a call fetches. A request can disclose data in the URL to the server. */
export function addressTarget(args: ToolArguments): ToolTargets {
  return { urls: [textArgument(args, "url")] };
}

/** Returns the target of a web search. The URL is empty, because only the host knows the search service. */
export function webSearchTarget(): ToolTargets {
  return { urls: [""] };
}
