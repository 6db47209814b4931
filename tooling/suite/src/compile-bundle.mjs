// @ts-check
// Stores V8's compiled code of all files of a bundle: compile-bundle.mjs FOLDER. A separate process, because V8 rejects
// code that a process with other settings compiled, and the process of a test changes them.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CODE, compileFile } from "./compile-file.mjs";

const folder = process.argv[2] ?? "";
for (const name of readdirSync(folder)) {
  if (!name.endsWith(".cjs")) continue;
  const file = join(folder, name);
  writeFileSync(`${file}${CODE}`, compileFile(file).createCachedData());
}
