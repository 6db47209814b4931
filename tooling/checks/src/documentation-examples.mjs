// @ts-check
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownBlocks } from "./markdown-blocks.mjs";
import { ROOT } from "./repository.mjs";

/** @import { Block } from "./markdown-blocks.mjs" */

/**
 * A block as a separate module: its location, and its file name without extension.
 * @typedef {{ place: string, file: string, block: Block }} Example
 */

/**
 * Returns the TypeScript blocks of a document.
 * @param {string} root
 * @param {string} document path relative to the root
 * @returns {Example[]}
 */
export function readExamples(root, document) {
  const blocks = markdownBlocks(readFileSync(join(root, document), "utf8"));
  return blocks
    .filter(({ language }) => language === "ts")
    .map((block) => {
      const place = `${document}:${block.line}`;
      return { place, file: place.replaceAll(/[^\w.-]/g, "-"), block };
    });
}

/**
 * Compiles all examples at once into `<workshop>/out`. Each keeps its line number, so that errors refer to the
 * document.
 * @param {readonly Example[]} examples
 * @param {string} workshop a folder from which their imports resolve
 * @returns {string[]} problems
 */
export function compileExamples(examples, workshop) {
  if (examples.length === 0) return [];
  mkdirSync(workshop, { recursive: true });
  for (const { file, block } of examples) {
    writeFileSync(join(workshop, `${file}.ts`), "\n".repeat(block.line - 1) + block.code);
  }
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "NodeNext",
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    strict: true,
    skipLibCheck: true,
    rootDir: ".",
    outDir: "out",
  };
  writeFileSync(join(workshop, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const run = spawnSync(process.execPath, [tsc, "-p", workshop], { cwd: workshop, encoding: "utf8" });
  return run.status === 0 ? [] : `${run.stdout}${run.stderr}`.trim().split("\n");
}

/**
 * Runs a compiled example that is marked `run`, in an empty folder with an empty home folder.
 * @param {Example} example
 * @param {string} workshop
 * @returns {string[]} problems
 */
export function runExample({ place, file, block }, workshop) {
  if (!block.marks.includes("run")) return [];
  const folder = mkdtempSync(join(tmpdir(), "switchyard-docs-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  const script = join(workshop, "out", `${file}.js`);
  const env = { ...process.env, HOME: home };
  const run = spawnSync(process.execPath, [script], { cwd, env, encoding: "utf8", timeout: 60_000 });
  rmSync(folder, { recursive: true, force: true });
  return run.status === 0 ? [] : [`${place} failed (${run.status ?? run.signal}):\n${run.stdout}${run.stderr}`];
}
