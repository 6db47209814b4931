// @ts-check
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { firstRunnable, markdownBlocks } from "../markdown-blocks.mjs";
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
 * A user of one package: `name` is the package, `folder` is where the user works, `commands` is the folder of its
 * commands.
 * @typedef {{ name: string, folder: string, commands: string, specifiers: readonly string[], bins: readonly string[],
 * example: Block | string }} Consumer
 */

/** Options of the compiler for a user's code. */
const COMPILER_OPTIONS = {
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

/**
 * Writes a pnpm workspace with one folder per package, which depends on the package's tarball, on its peers, and on what
 * npm would put beside it: our packages that it depends on, directly or not. Because nothing is hoisted, the installed
 * code of a package can load only what the package declares.
 * @param {readonly Package[]} packages
 * @param {string} project an empty folder
 * @returns {Consumer[]}
 */
export function writeConsumers(packages, project) {
  const tarballs = new Map(packages.map(({ manifest }) => [manifest.name, `file:${tarballOf(manifest)}`]));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumers", private: true }));
  // The types of DBOS need those of pg, which DBOS does not declare: our package declares them, and npm hoists them.
  const publicHoistPattern = ["@types/pg"];
  const settings = { packages: ["*"], hoist: false, publicHoistPattern, strictPeerDependencies: true };
  // Settings in JSON, which is YAML.
  writeFileSync(
    join(project, "pnpm-workspace.yaml"),
    JSON.stringify({ ...settings, overrides: Object.fromEntries(tarballs) }),
  );
  return packages.map((workspace) => {
    const { name, peerDependencies = {}, peerDependenciesMeta = {} } = workspace.manifest;
    const peers = Object.entries(peerDependencies).filter(([peer]) => peerDependenciesMeta[peer]?.optional !== true);
    const ours = withDependencies(name, packages).map((one) => [one, tarballs.get(one)]);
    const consumer = consumerOf(workspace, join(project, basename(workspace.folder)));
    const manifest = { name: `consumer-of-${basename(workspace.folder)}`, private: true, type: "module" };
    const dependencies = Object.fromEntries([...peers, ...ours]);
    writeFileSync(join(consumer.folder, "package.json"), JSON.stringify({ ...manifest, dependencies }));
    return consumer;
  });
}

/**
 * Returns the names of a package and of our packages that it depends on, directly or not.
 * @param {string} name
 * @param {readonly Package[]} packages
 * @returns {string[]}
 */
function withDependencies(name, packages) {
  const found = new Set([name]);
  for (const one of found) {
    const { dependencies = {} } = packages.find(({ manifest }) => manifest.name === one)?.manifest ?? {};
    for (const dependency of Object.keys(dependencies)) {
      if (packages.some(({ manifest }) => manifest.name === dependency)) found.add(dependency);
    }
  }
  return [...found];
}

/**
 * Creates the folder of a package's user, and writes the README's example and the imports of all entry points to it.
 * @param {Package} workspace
 * @param {string} folder inside the folder in which the package is installed, or that folder
 * @param {string} [installed] the folder in which the package is installed. Default: `folder`
 * @returns {Consumer}
 */
export function consumerOf({ folder: source, manifest: { name, exports = {}, bin = {} } }, folder, installed = folder) {
  const paths = Object.keys(exports).filter((path) => !path.includes("*") && !path.endsWith(".json"));
  const specifiers = paths.map((path) => name + path.slice(1));
  const example = readExample(source);
  mkdirSync(folder);
  const code = typeof example === "object" && example.language === "ts" ? example.code : "export {};\n";
  for (const file of ["example.ts", "example.mjs"]) writeFileSync(join(folder, file), code);
  const imports = specifiers.map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");
  writeFileSync(join(folder, "entry-points.ts"), imports);
  return { name, folder, commands: join(installed, "node_modules/.bin"), specifiers, bins: Object.keys(bin), example };
}

/**
 * Type-checks the examples of users with the types of every entry point, in one program.
 * @param {readonly Consumer[]} consumers
 * @param {string} project the folder that contains theirs
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Map<string, string>} the problem of each package that has one
 */
export function typeProblems(consumers, project, env) {
  const files = consumers.flatMap(({ folder }) => ["example.ts", "entry-points.ts"].map((file) => join(folder, file)));
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const problem = runStep(["node", tsc, "-p", "tsconfig.json", "--singleThreaded"], project, env);
  if (problem === undefined) return new Map();
  const lines = problem.split("\n");
  const problems = consumers.map(({ name, folder }) => {
    const own = [`${basename(folder)}/`, `node_modules/${name}/`];
    const found = lines.filter((line) => line.startsWith(own[0] ?? "") || line.split("(")[0]?.includes(own[1] ?? ""));
    return /** @type {[string, string]} */ ([name, found.join("\n")]);
  });
  const found = problems.filter(([, text]) => text !== "");
  // A problem of no package, such as a compiler that does not start, is a problem of each.
  return new Map(found.length > 0 ? found : consumers.map(({ name }) => [name, problem]));
}

/**
 * Returns the steps of a user after installing a package.
 * @param {Consumer} consumer
 * @returns {[string, Step][]}
 */
export function consumerSteps(consumer) {
  const { folder, commands, bins } = consumer;
  const versions = bins.map((command) => {
    /** @type {Step} */
    const step = (env) => runStep([join(commands, command), "--version"], folder, env);
    return /** @type {[string, Step]} */ (["--version", step]);
  });
  return [...versions, ...exampleSteps(consumer)];
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
  const example = firstRunnable(markdownBlocks(readFileSync(readme, "utf8")));
  return example ?? "README.md has no ```ts run block (```sh run for a command).";
}

/**
 * Returns the steps that import every entry point and run the README's example. One process does both if it can.
 * @param {Consumer} consumer
 * @returns {[string, Step][]}
 */
function exampleSteps({ folder, commands, specifiers, example }) {
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
    const PATH = [commands, env["PATH"]].join(delimiter);
    const state = join(folder, "state");
    return runStep(["sh", "-e", "-c", example.code], folder, { ...env, PATH, XDG_STATE_HOME: state });
  };
  return [importStep, ["README example", runShell]];
}
