// @ts-check
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { markdownBlocks } from "../markdown-blocks.mjs";
import { publishedPackages, ROOT, readManifest } from "../repository.mjs";
import { runStep } from "./run-step.mjs";
import { tarballOf } from "./tarball-of.mjs";

/** @import { Block } from "../markdown-blocks.mjs" */

/**
 * A step of a user. Returns its problem, or `undefined`.
 * @typedef {(env: NodeJS.ProcessEnv) => string | undefined} Step
 */

/**
 * Writes the package.json of an npm project that depends on one package's tarball.
 * @param {string} folder the package
 * @param {string} project an empty folder
 * @returns {string} the project
 */
export function createConsumer(folder, project) {
  writeFileSync(join(project, "package.json"), JSON.stringify(consumerManifest(folder), null, 2));
  return project;
}

/**
 * Returns the steps of a user after installing the package, in order.
 * @param {string} folder the package
 * @param {string} project the project it is installed in
 * @returns {[string, Step][]}
 */
export function consumerSteps(folder, project) {
  const { name, exports = {}, bin = {} } = readManifest(folder);
  const paths = Object.keys(exports).filter((path) => !path.includes("*") && !path.endsWith(".json"));
  const specifiers = paths.map((path) => name + path.slice(1));
  const imports = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`).join("\n");
  const commands = Object.keys(bin).map((command) => join(project, "node_modules/.bin", command));
  return [
    ["import of every entry point", (env) => runStep(["node", "--input-type=module", "-e", imports], project, env)],
    ...commands.map((command) => commandStep(command, project)),
    ["README example", (env) => runReadmeExample({ folder, project, specifiers }, env)],
  ];
}

/**
 * @param {string} command
 * @param {string} project
 * @returns {[string, Step]}
 */
function commandStep(command, project) {
  return ["--version", (env) => runStep([command, "--version"], project, env)];
}

/**
 * @param {string} folder
 * @returns {Record<string, unknown>}
 */
function consumerManifest(folder) {
  const { name, dependencies = {} } = readManifest(folder);
  const overrides = Object.fromEntries(workspaceTarballs(Object.keys(dependencies)));
  const own = { [name]: `file:${tarballOf(folder)}` };
  return { name: "consumer", private: true, type: "module", dependencies: own, overrides };
}

/**
 * Returns the tarballs of workspace packages among some dependencies, and of their dependencies.
 * @param {readonly string[]} names
 * @returns {[string, string][]}
 */
export function workspaceTarballs(names) {
  const published = new Map(publishedPackages().map((one) => [one.manifest.name, one]));
  return names
    .flatMap((name) => published.get(name) ?? [])
    .flatMap(({ folder, manifest }) => {
      const { name } = manifest;
      const below = workspaceTarballs(Object.keys(manifest.dependencies ?? {}));
      return [/** @type {[string, string]} */ ([name, `file:${tarballOf(folder)}`]), ...below];
    });
}

/** A user's project. @typedef {{ folder: string, project: string, specifiers: readonly string[] }} Consumer */

/**
 * @type {(consumer: Consumer, env: NodeJS.ProcessEnv) => string | undefined}
 */
function runReadmeExample(consumer, env) {
  const { folder, project } = consumer;
  const readme = join(folder, "README.md");
  if (!existsSync(readme)) return "README.md is missing. Write one with a ```ts run block (```sh run for a command).";
  const blocks = markdownBlocks(readFileSync(readme, "utf8"));
  const example = blocks.find(({ language, marks }) => ["ts", "sh"].includes(language) && marks.includes("run"));
  if (example === undefined) return "README.md has no ```ts run block (```sh run for a command).";
  return example.language === "ts" ? runTypeScript(example, consumer, env) : runShell(example, project, env);
}

/**
 * Compiles the example with the types of every entry point, and runs it.
 * @type {(example: Block, consumer: Consumer, env: NodeJS.ProcessEnv) => string | undefined}
 */
function runTypeScript({ code }, { project, specifiers }, env) {
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "NodeNext",
    strict: true,
    // As strict as any user: our types must not need a package that is not installed with them.
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
  };
  writeFileSync(join(project, "example.ts"), code);
  const imports = specifiers.map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");
  writeFileSync(join(project, "entry-points.ts"), imports);
  const files = ["example.ts", "entry-points.ts"];
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return runStep(["node", tsc, "-p", "tsconfig.json"], project, env) ?? runStep(["node", "example.js"], project, env);
}

/**
 * @type {(example: Block, project: string, env: NodeJS.ProcessEnv) => string | undefined}
 */
function runShell({ code }, project, env) {
  const PATH = [join(project, "node_modules/.bin"), env["PATH"]].join(delimiter);
  return runStep(["sh", "-e", "-c", code], project, { ...env, PATH, XDG_STATE_HOME: join(project, "state") });
}
