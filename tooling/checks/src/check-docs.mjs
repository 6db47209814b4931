// @ts-check
// Run in docs/: every ```ts block of the documentation and the READMEs is JavaScript that type-checks as TypeScript, and
// those marked `run` run. The first one of each package's README is short, and the check `pack` runs it in an installed
// package. Models in documents are the default models. The ```sh blocks marked `run` of each page below docs/ run in
// order, in an empty folder, with the built command on PATH.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { defaultModels, outdatedModels } from "./document-models.mjs";
import {
  checkExampleTypes,
  longFirstExample,
  nonPortableExamples,
  readExamples,
  runExample,
} from "./documentation-examples.mjs";
import { firstRunnable, markdownBlocks } from "./markdown-blocks.mjs";
import { filesBelow, publishedPackages, ROOT } from "./repository.mjs";
import { readShellDocument, runShellDocument, writeCommand } from "./shell-document.mjs";

/** @import { ShellDocument } from "./shell-document.mjs" */

const readmes = filesBelow(ROOT, (path) => /^(README\.md|(packages|apps|examples)\/[^/]+\/README\.md)$/.test(path));
const packageReadmes = new Set(publishedPackages().map(({ folder }) => `${relative(ROOT, folder)}/README.md`));
const pages = filesBelow(join(ROOT, "docs"), (path) => path.endsWith(".md")).map((path) => `docs/${path}`);
const examples = [...readmes, ...pages].flatMap((document) => readExamples(ROOT, document));
const documents = pages.map((page) => readShellDocument(ROOT, page)).filter((page) => page !== undefined);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const [runnable, skipped] = [documents.filter(canRun), documents.filter((document) => !canRun(document))];

// Below docs/, so that package names resolve as for users.
const workshop = join(process.cwd(), ".cache/blocks");
const syntaxProblems = nonPortableExamples(examples);
const typeProblems = syntaxProblems.length > 0 ? syntaxProblems : checkExampleTypes(examples, workshop);
const problems = [
  ...oldModels(),
  ...[...packageReadmes].flatMap((readme) => longFirstExample(examples.filter(({ document }) => document === readme))),
  ...(typeProblems.length > 0 ? typeProblems : [...runExamples(), ...(await runShellDocuments())]),
];
rmSync(workshop, { recursive: true, force: true });
reportOutcome({
  problems,
  passed: problems.length === 0 ? examples.length + runnable.length : 0,
  skipped: skipped.map(({ document }) => ({ name: document, reason: "there is no python3" })),
});

/** @param {ShellDocument} document */
function canRun({ script }) {
  return hasPython || !script.includes("python3");
}

/** Reference pages list models of every age. */
function oldModels() {
  const allowed = defaultModels();
  return [...readmes, ...pages]
    .filter((document) => !document.startsWith("docs/reference/"))
    .flatMap((document) => outdatedModels(document, readFileSync(join(ROOT, document), "utf8"), allowed));
}

function runExamples() {
  return examples
    .filter(({ document, block }) => block.line !== lineRunByPack(document))
    .flatMap((example) => runExample(example, workshop));
}

/**
 * Returns the line of the block that the check `pack` runs, if the document is the README of a published package.
 * @param {string} document
 * @returns {number | undefined}
 */
function lineRunByPack(document) {
  if (!packageReadmes.has(document)) return undefined;
  return firstRunnable(markdownBlocks(readFileSync(join(ROOT, document), "utf8")))?.line;
}

async function runShellDocuments() {
  const commands = join(workshop, "bin");
  writeCommand(commands, join(ROOT, "apps/cli/dist/bin.cjs"));
  const found = [];
  for (const document of runnable) {
    const machine = { commands: [commands, dirname(process.execPath)], port: await freePort() };
    found.push(...runShellDocument(document, machine));
  }
  return found;
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
