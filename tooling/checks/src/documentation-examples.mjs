// @ts-check
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "acorn";
import { markdownBlocks } from "./markdown-blocks.mjs";
import { ROOT } from "./repository.mjs";

/** @import { Block } from "./markdown-blocks.mjs" */

/**
 * A block as a separate module: its document, its location, and its file name without extension.
 * @typedef {{ document: string, place: string, file: string, block: Block }} Example
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
      return { document, place, file: place.replaceAll(/[^\w.-]/g, "-"), block };
    });
}

/** Maximum number of lines of the first example in the README of a package. */
const MAX_FIRST_EXAMPLE = 15;

/**
 * Returns a problem if the first example of a README is too long to be read at a glance.
 * @param {readonly Example[]} examples the examples of one README
 * @returns {string[]} problems
 */
export function longFirstExample([first]) {
  const lines = first === undefined ? 0 : first.block.code.split("\n").length;
  if (first === undefined || lines <= MAX_FIRST_EXAMPLE) return [];
  return [`${first.place}: the first example of a package has ${lines} lines; the limit is ${MAX_FIRST_EXAMPLE}.`];
}

/** Documents for newcomers: all of their examples are JavaScript. */
const NO_TYPES = /^(README\.md|docs\/tutorials\/.*)$/;
/** The newest edition of JavaScript that all of Node 20 understands. */
const EDITION = 2024;

/**
 * Returns the examples that cannot be saved unchanged as both a JavaScript and a TypeScript file. A block marked `types`
 * is for TypeScript only. It declares types, and neither runs nor occurs in documents for newcomers.
 * @param {readonly Example[]} examples
 * @returns {string[]} problems
 */
export function nonPortableExamples(examples) {
  return examples.flatMap(({ place, document, block }) => {
    if (!block.marks.includes("types")) return syntaxProblems(place, block);
    if (block.marks.includes("run")) return [`${place}: a block marked \`types\` cannot be marked \`run\`.`];
    return NO_TYPES.test(document) ? [`${place}: ${document} must not contain blocks marked \`types\`.`] : [];
  });
}

/**
 * @param {string} place
 * @param {Block} block
 * @returns {string[]}
 */
function syntaxProblems(place, { code, line }) {
  try {
    parse(code, { ecmaVersion: EDITION, sourceType: "module" });
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError) || !("loc" in error)) throw error;
    const row = Number(Object(error.loc).line);
    const at = place.replace(/:\d+$/, `:${line + row - 1}`);
    const text = code.split("\n")[row - 1]?.trim();
    return [`${at}: this is not JavaScript that Node 20 runs: ${text}\n  Examples must run unchanged as .mjs and .ts.`];
  }
}

/**
 * Type-checks all examples at once, and writes them as JavaScript modules. Each keeps its line number, so that errors
 * refer to the document.
 * @param {readonly Example[]} examples
 * @param {string} workshop a folder from which their imports resolve
 * @returns {string[]} problems
 */
export function checkExampleTypes(examples, workshop) {
  if (examples.length === 0) return [];
  mkdirSync(workshop, { recursive: true });
  for (const { file, block } of examples) {
    const text = "\n".repeat(block.line - 1) + block.code;
    writeFileSync(join(workshop, `${file}.ts`), text);
    if (!block.marks.includes("types")) writeFileSync(join(workshop, `${file}.mjs`), text);
  }
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "NodeNext",
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    strict: true,
    skipLibCheck: true,
    // An import that exists only as a type does not load in JavaScript.
    verbatimModuleSyntax: true,
    noEmit: true,
  };
  writeFileSync(join(workshop, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const command = [tsc, "-p", workshop, "--singleThreaded"];
  const run = spawnSync(process.execPath, command, { cwd: workshop, encoding: "utf8" });
  return run.status === 0 ? [] : `${run.stdout}${run.stderr}`.trim().split("\n");
}

/**
 * Runs an example that is marked `run` as JavaScript, unchanged, in an empty folder with an empty home folder.
 * @param {Example} example
 * @param {string} workshop
 * @returns {string[]} problems
 */
export function runExample({ place, file, block }, workshop) {
  if (!block.marks.includes("run")) return [];
  const folder = mkdtempSync(join(tmpdir(), "switchyard-docs-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  const script = join(workshop, `${file}.mjs`);
  const env = { ...process.env, HOME: home };
  const run = spawnSync(process.execPath, [script], { cwd, env, encoding: "utf8", timeout: 60_000 });
  rmSync(folder, { recursive: true, force: true });
  return run.status === 0 ? [] : [`${place} failed (${run.status ?? run.signal}):\n${run.stdout}${run.stderr}`];
}
