// @ts-check
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { markdownBlocks } from "../markdown-blocks.mjs";
import { publishedPackages, ROOT } from "../repository.mjs";
import { runStep } from "./run-step.mjs";
import { tarballOf } from "./tarball-of.mjs";

/** @import { Block } from "../markdown-blocks.mjs" */
/** @import { Package } from "../repository.mjs" */

/**
 * A step of a user. Returns its problem, or `undefined`.
 * @typedef {(env?: NodeJS.ProcessEnv) => string | undefined} Step
 */

/**
 * A user of one package: `folder` is where the user works, inside the project it is installed in.
 * @typedef {{ folder: string, project: string, specifiers: readonly string[], example: Block | string }} Consumer
 */

/**
 * Writes the package.json of an npm project that depends on some packages' tarballs.
 * @param {readonly Package[]} packages
 * @param {string} project an empty folder
 * @returns {void}
 */
export function writeConsumer(packages, project) {
  const dependencies = Object.fromEntries(
    packages.map(({ manifest }) => [manifest.name, `file:${tarballOf(manifest)}`]),
  );
  const manifest = { name: "consumer", private: true, type: "module", dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, null, 2));
}

/**
 * Returns the steps of a user after installing a package. `types` does not depend on the Node version.
 * @param {Package} workspace
 * @param {string} project the project it is installed in
 * @returns {{ types: Step, runs: [string, Step][] }}
 */
export function consumerSteps({ folder, manifest: { name, exports = {}, bin = {} } }, project) {
  const paths = Object.keys(exports).filter((path) => !path.includes("*") && !path.endsWith(".json"));
  const specifiers = paths.map((path) => name + path.slice(1));
  const consumer = { folder: join(project, basename(folder)), project, specifiers, example: readExample(folder) };
  mkdirSync(consumer.folder);
  const commands = Object.keys(bin).map((command) => join(project, "node_modules/.bin", command));
  return {
    types: (env) => checkTypes(consumer, env),
    runs: [...commands.map((command) => commandStep(command, consumer)), ...exampleSteps(consumer)],
  };
}

/**
 * @param {string} command
 * @param {Consumer} consumer
 * @returns {[string, Step]}
 */
function commandStep(command, { folder }) {
  return ["--version", (env) => runStep([command, "--version"], folder, env)];
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
    .flatMap(({ manifest }) => {
      const below = workspaceTarballs(Object.keys(manifest.dependencies ?? {}));
      return [/** @type {[string, string]} */ ([manifest.name, `file:${tarballOf(manifest)}`]), ...below];
    });
}

/**
 * Returns the README's first example that runs, or what the README lacks.
 * @param {string} folder the package
 * @returns {Block | string}
 */
function readExample(folder) {
  const readme = join(folder, "README.md");
  if (!existsSync(readme)) return "README.md is missing. Write one with a ```ts run block (```sh run for a command).";
  const blocks = markdownBlocks(readFileSync(readme, "utf8"));
  const example = blocks.find(({ language, marks }) => ["ts", "sh"].includes(language) && marks.includes("run"));
  return example ?? "README.md has no ```ts run block (```sh run for a command).";
}

/**
 * Type-checks the example with the types of every entry point, and writes it as JavaScript.
 * @type {(consumer: Consumer, env: NodeJS.ProcessEnv | undefined) => string | undefined}
 */
function checkTypes({ folder, specifiers, example }, env) {
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "NodeNext",
    strict: true,
    noEmit: true,
    // As strict as any user: our types must not need a package that is not installed with them.
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
  };
  const code = typeof example === "object" && example.language === "ts" ? example.code : "export {};\n";
  for (const file of ["example.ts", "example.mjs"]) writeFileSync(join(folder, file), code);
  const imports = specifiers.map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");
  writeFileSync(join(folder, "entry-points.ts"), imports);
  const files = ["example.ts", "entry-points.ts"];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return runStep(["node", tsc, "-p", "tsconfig.json", "--singleThreaded"], folder, env);
}

/**
 * Returns the steps that import every entry point and run the README's example. One process does both if it can.
 * @param {Consumer} consumer
 * @returns {[string, Step][]}
 */
function exampleSteps({ folder, project, specifiers, example }) {
  if (typeof example === "string") return [["README example", () => example]];
  const isShell = example.language === "sh";
  const modules = isShell ? specifiers : [...specifiers, "./example.mjs"];
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join("\n");
  const title = isShell ? "import of every entry point" : "import of every entry point, and README example";
  /** @type {[string, Step]} */
  const importStep = [title, (env) => runStep(["node", "--input-type=module", "-e", imports], folder, env)];
  if (!isShell) return [importStep];
  /** @type {Step} */
  const runShell = (env = process.env) => {
    const PATH = [join(project, "node_modules/.bin"), env["PATH"]].join(delimiter);
    const state = join(folder, "state");
    return runStep(["sh", "-e", "-c", example.code], folder, { ...env, PATH, XDG_STATE_HOME: state });
  };
  return [importStep, ["README example", runShell]];
}
