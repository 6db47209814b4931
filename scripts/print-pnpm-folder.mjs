// @ts-check
// Run by `npm exec --package=pnpm@…`, which puts the package's bin folder first on PATH.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const folders = (process.env["PATH"] ?? "").split(delimiter);
const folder = folders.find((candidate) => existsSync(join(candidate, "pnpm")));
if (folder === undefined) throw new Error("npm fetched pnpm, but it is not on PATH.");
console.log(folder);
