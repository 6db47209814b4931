import type { ToolArguments, ToolTargets } from "@switchyard/contracts";
import { optionalText, textArgument, textList } from "./tool-argument.ts";

const WILDCARD = /[*?[\]{}\\]/;

/** The folder below which everything is that a glob can find. */
function baseOf(pattern: string): string {
  const names = pattern.split("/");
  const wild = names.findIndex((name) => WILDCARD.test(name));
  if (wild < 0) return pattern;
  // Behind a wildcard a glob may lead up again.
  if (names.slice(wild).some((name) => name.includes(".."))) return ".";
  return names.slice(0, wild).join("/") || (pattern.startsWith("/") ? "/" : ".");
}

/** The one file a call names. */
export function fileTarget(args: ToolArguments): ToolTargets {
  return { paths: [textArgument(args, "file_path")] };
}

/** The folder a call lists. */
export function folderTarget(args: ToolArguments): ToolTargets {
  return { paths: [optionalText(args, "path") ?? "."] };
}

/** Everything below the folder a call searches, but for what is hidden from it. */
export function searchTarget(args: ToolArguments): ToolTargets {
  return { trees: [optionalText(args, "path") ?? "."], omitsHiddenFiles: true };
}

/** The folder in which a call looks for names; what is in the files it does not say. */
export function globTarget(args: ToolArguments): ToolTargets {
  const [path, base] = [optionalText(args, "path") ?? ".", baseOf(textArgument(args, "pattern"))];
  return { paths: [base.startsWith("/") ? base : `${path}/${base}`] };
}

/** The files a call names, and the folders below which its patterns find some; what looks like a pattern may be a name. */
export function batchTarget(args: ToolArguments): ToolTargets {
  const paths = textList(args, "paths");
  return { paths, trees: paths.filter((path) => WILDCARD.test(path)).map(baseOf) };
}

/** The command a call runs, and where. */
export function commandTarget(args: ToolArguments): ToolTargets {
  const [command, cwd] = [textArgument(args, "command"), optionalText(args, "cwd")];
  return cwd === undefined ? { command } : { command, cwd };
}

/** The page a call fetches: whoever is asked for an address learns what is in it. */
export function addressTarget(args: ToolArguments): ToolTargets {
  return { urls: [textArgument(args, "url")] };
}

/** A search goes to a service that only the host knows. */
export function webSearchTarget(): ToolTargets {
  return { urls: [""] };
}
