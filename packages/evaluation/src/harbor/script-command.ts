import { readFile } from "node:fs/promises";

/**
 * Returns the command that runs a script, given the script's path on this machine and its path in the container. The
 * first line of the script names the interpreter, as for the kernel; default: bash. The script's mode does not matter.
 */
export async function scriptCommand(file: string, path: string): Promise<string[]> {
  const [first = ""] = (await readFile(file, "utf8")).split("\n", 1);
  const { program = "", argument } = /^#!\s*(?<program>\S+)(?:\s+(?<argument>.*\S))?\s*$/u.exec(first)?.groups ?? {};
  if (program === "") return ["bash", path];
  return [program, ...(argument === undefined ? [] : [argument]), path];
}
