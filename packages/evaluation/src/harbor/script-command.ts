import { readFile } from "node:fs/promises";

/**
 * Returns the command that runs a script, given the script's path on this machine and its path in the container. The
 * interpreter is the one that the script's first line (`#!`) names. Default: bash. The script need not be executable.
 */
export async function scriptCommand(file: string, path: string): Promise<string[]> {
  const [first = ""] = (await readFile(file, "utf8")).split("\n", 1);
  const { program = "", argument } = /^#!\s*(?<program>\S+)(?:\s+(?<argument>.*\S))?\s*$/u.exec(first)?.groups ?? {};
  if (program === "") return ["bash", path];
  return [program, ...(argument === undefined ? [] : [argument]), path];
}
