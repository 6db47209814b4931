import type { Program } from "./program.ts";
import { BUILD_ROWS } from "./rows/build-rows.ts";
import { FILE_ROWS } from "./rows/file-rows.ts";
import { GIT_ROW } from "./rows/git-row.ts";
import { LANGUAGE_ROWS } from "./rows/language-rows.ts";
import { NETWORK_ROWS } from "./rows/network-rows.ts";
import { OTHER_ROWS } from "./rows/other-rows.ts";
import { PACKAGE_ROWS } from "./rows/package-rows.ts";
import { SYSTEM_ROWS } from "./rows/system-rows.ts";
import { TEXT_ROWS } from "./rows/text-rows.ts";
import { TOOL_ROWS } from "./rows/tool-rows.ts";
import { WRAPPER_ROWS } from "./rows/wrapper-rows.ts";

/** Table of known programs and their options. Each row links to its source. Allow and deny rules use the same rows. */
export const PROGRAM_ROWS: readonly Program[] = [
  ...TEXT_ROWS,
  ...FILE_ROWS,
  GIT_ROW,
  ...PACKAGE_ROWS,
  ...BUILD_ROWS,
  ...LANGUAGE_ROWS,
  ...WRAPPER_ROWS,
  ...NETWORK_ROWS,
  ...SYSTEM_ROWS,
  ...TOOL_ROWS,
  ...OTHER_ROWS,
];

/**
 * Programs that approval rules support, by name. A row that names several programs yields one entry for each of them.
 */
export const PROGRAMS: readonly Program[] = PROGRAM_ROWS.flatMap((row) =>
  row.isOne === true ? [row] : row.names.map((name): Program => ({ ...row, names: [name] })),
);

let byName: ReadonlyMap<string, Program> | undefined;

function index(): ReadonlyMap<string, Program> {
  byName ??= new Map(PROGRAMS.flatMap((program) => program.names.map((name) => [name, program] as const)));
  return byName;
}

/** Returns the name of a command without the folders before it. */
export function nameOf(command: string): string {
  return command.slice(command.lastIndexOf("/") + 1);
}

/**
 * Finds the row of a program by its command word. Also accepts spellings such as `/usr/bin/python3.11` and `git.exe`.
 */
export function findProgram(command: string): Program | undefined {
  const name = nameOf(command.replaceAll("\\", "/"));
  const rows = index();
  const bare = name.replace(/\.(?:exe|cmd|bat|com|ps1)$/i, "");
  return (
    rows.get(name) ??
    rows.get(bare) ??
    rows.get(bare.replace(/[-.]?\d[\d.]*$|\.(?:basic|tiny|static|real|distrib)$/, ""))
  );
}
