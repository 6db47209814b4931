// @ts-check
// Run in docs/: every ```ts block of the documentation and the READMEs type-checks, and those marked `run` run.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { markdownBlocks } from "./markdown-blocks.mjs";
import { filesBelow, ROOT } from "./repository.mjs";

/** @import { Block } from "./markdown-blocks.mjs" */

/**
 * A block as a module of its own. `file` has no ending.
 * @typedef {{ place: string, file: string, block: Block }} Example
 */

const workshop = join(process.cwd(), ".cache/blocks");
const examples = documents().flatMap(readExamples);
const problems = examples.length === 0 ? [] : [...typeErrors(examples), ...examples.flatMap(runErrors)];
rmSync(workshop, { recursive: true, force: true });
reportOutcome({ problems, passed: problems.length === 0 ? examples.length : 0 });

/** @returns {string[]} */
function documents() {
  const readmes = filesBelow(ROOT, (path) => /^(README\.md|(packages|apps|examples)\/[^/]+\/README\.md)$/.test(path));
  return [...readmes, ...filesBelow(join(ROOT, "docs"), (path) => path.endsWith(".md")).map((path) => `docs/${path}`)];
}

/**
 * @param {string} document
 * @returns {Example[]}
 */
function readExamples(document) {
  const blocks = markdownBlocks(readFileSync(join(ROOT, document), "utf8"));
  return blocks
    .filter(({ language }) => language === "ts")
    .map((block) => {
      const place = `${document}:${block.line}`;
      return { place, file: place.replaceAll(/[^\w.-]/g, "-"), block };
    });
}

/**
 * Compiles all blocks at once. A block starts at its own line, so that errors name the line in the document.
 * @param {readonly Example[]} examples
 * @returns {string[]}
 */
function typeErrors(examples) {
  mkdirSync(workshop, { recursive: true });
  for (const { file, block } of examples) {
    writeFileSync(join(workshop, `${file}.ts`), "\n".repeat(block.line - 1) + block.code);
  }
  const compilerOptions = {
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    sourceMap: false,
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
    exactOptionalPropertyTypes: false,
    outDir: "out",
    rootDir: ".",
  };
  writeFileSync(
    join(workshop, "tsconfig.json"),
    JSON.stringify({ extends: join(ROOT, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] }),
  );
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const run = spawnSync(process.execPath, [tsc, "-p", workshop], { cwd: workshop, encoding: "utf8" });
  return run.status === 0 ? [] : `${run.stdout}${run.stderr}`.trim().split("\n");
}

/**
 * @param {Example} example
 * @returns {string[]}
 */
function runErrors({ place, file, block }) {
  if (!block.marks.includes("run")) return [];
  const cwd = mkdtempSync(join(tmpdir(), "switchyard-docs-"));
  const run = spawnSync(process.execPath, [join(workshop, "out", `${file}.js`)], {
    cwd,
    encoding: "utf8",
    timeout: 60_000,
  });
  rmSync(cwd, { recursive: true, force: true });
  return run.status === 0 ? [] : [`${place} failed (${run.status ?? run.signal}):\n${run.stdout}${run.stderr}`];
}
