// @ts-check
// `npm run install:cli [-- --prefix FOLDER]`: builds, packs and installs the `switchyard` command from this clone, because it is
// not published yet. The command contains the tarballs of the packages that `switchyard init` makes new packages depend on.
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { npmCommand } from "./npm-command.mjs";
import { runStep } from "./run-step.mjs";
import { turboCommand } from "./turbo-command.mjs";

/** @typedef {{ name: string, version: string, dependencies?: Record<string, string> }} Manifest */

const root = resolve(import.meta.dirname, "..");
const npm = npmCommand(process.env);
const TEMPLATES = ["new-adapter", "new-engine"];
const COMMAND = "@switchyard/cli";

const scratch = mkdtempSync(join(tmpdir(), "switchyard-install-"));
try {
  await install();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function install() {
  const prefix = await findPrefix();
  assertWritable(prefix);
  const filters = ["--filter=./packages/*", "--filter=./apps/*"];
  const build = ["run", "build", "--output-logs=new-only", "--log-order=stream", ...filters];
  await runStep("Building the packages", turboCommand(root, build), { cwd: root });
  const packed = join(scratch, "packed");
  const pack = [
    "--recursive",
    "--filter",
    "./packages/*",
    "--filter",
    "./apps/*",
    "pack",
    "--pack-destination",
    packed,
  ];
  await runStep("Packing the packages", ["pnpm", ...pack], { cwd: root });
  const tarball = await packCommand(packed);
  const options = ["--prefix", prefix, "--prefer-offline", "--no-audit", "--no-fund"];
  await runStep("Installing the command", [...npm, "install", "--global", ...options, tarball], { cwd: scratch });
  report(prefix);
}

/**
 * Returns the folder that npm installs the command into: the one of `--prefix`, or npm's global folder.
 * @returns {Promise<string>}
 */
async function findPrefix() {
  const { values } = parseArgs({ options: { prefix: { type: "string" } } });
  if (values.prefix !== undefined) return resolve(process.env["INIT_CWD"] ?? process.cwd(), values.prefix);
  const { stdout } = spawnSync(npm[0], [...npm.slice(1), "prefix", "--global"], { cwd: root, encoding: "utf8" });
  return stdout.trim();
}

/**
 * Fails before anything is built if npm could not write to the folder.
 * @param {string} prefix
 * @returns {void}
 */
function assertWritable(prefix) {
  const isWindows = process.platform === "win32";
  let folder = join(prefix, isWindows ? "node_modules" : "lib/node_modules");
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    const elsewhere = `npm run install:cli -- --prefix ${join(homedir(), ".local")}`;
    throw new Error(`${folder} is not writable. Install the command into another folder:\n  ${elsewhere}`);
  }
}

/**
 * Packs the command again, together with the tarballs that new packages depend on.
 * @param {string} packed folder with the tarballs of all packages
 * @returns {Promise<string>} path of the new tarball
 */
async function packCommand(packed) {
  const manifests = readManifests();
  const command = manifests.get(COMMAND);
  if (command === undefined) throw new Error(`${COMMAND} is not a package of this workspace.`);
  await runStep("Adding the packages for new extensions", ["tar", "-xzf", join(packed, tarballName(command))], {
    cwd: scratch,
  });
  const folder = join(scratch, "package");
  const bundled = join(folder, "dist/packages");
  mkdirSync(bundled);
  /** @type {Record<string, { file: string, dependencies: string[] }>} */
  const index = {};
  for (const manifest of templateDependencies(manifests)) {
    const file = tarballName(manifest);
    cpSync(join(packed, file), join(bundled, file));
    index[manifest.name] = { file, dependencies: workspaceDependencies(manifest, manifests) };
  }
  writeFileSync(join(bundled, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
  const result = spawnSync(npm[0], [...npm.slice(1), "pack", "--silent", folder], { cwd: scratch, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`npm could not pack the command:\n${result.stdout}${result.stderr}`);
  return join(scratch, result.stdout.trim());
}

/**
 * Returns the manifests of the packages in this workspace, by package name.
 * @returns {Map<string, Manifest>}
 */
function readManifests() {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name, "package.json")),
  );
  return new Map(
    folders
      .filter((file) => existsSync(file))
      .map((file) => {
        /** @type {Manifest} */
        const manifest = JSON.parse(readFileSync(file, "utf8"));
        return [manifest.name, manifest];
      }),
  );
}

/**
 * Returns the packages on which the templates of `switchyard init` depend, directly or not.
 * @param {ReadonlyMap<string, Manifest>} manifests
 * @returns {Manifest[]}
 */
function templateDependencies(manifests) {
  const templates = TEMPLATES.map((name) =>
    JSON.parse(readFileSync(join(root, "fixtures", name, "package.json"), "utf8")),
  );
  const found = new Set(
    templates.flatMap((template) =>
      workspaceDependencies(
        { ...template, dependencies: { ...template.dependencies, ...template.devDependencies } },
        manifests,
      ),
    ),
  );
  for (const name of found) {
    const manifest = manifests.get(name);
    if (manifest !== undefined)
      for (const dependency of workspaceDependencies(manifest, manifests)) found.add(dependency);
  }
  return [...found].sort().flatMap((name) => manifests.get(name) ?? []);
}

/**
 * @param {Manifest} manifest
 * @param {ReadonlyMap<string, Manifest>} manifests
 * @returns {string[]}
 */
function workspaceDependencies({ dependencies = {} }, manifests) {
  return Object.keys(dependencies).filter((name) => manifests.has(name));
}

/**
 * Returns the file name that `pnpm pack` gives a package's tarball.
 * @param {Manifest} manifest
 * @returns {string}
 */
function tarballName({ name, version }) {
  return `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
}

/**
 * Prints where the command is, and what is missing to start it by its name.
 * @param {string} prefix
 * @returns {void}
 */
function report(prefix) {
  const folder = process.platform === "win32" ? prefix : join(prefix, "bin");
  const isOnPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((entry) => entry !== "" && resolve(entry) === folder);
  console.log(`\nInstalled switchyard in ${folder}.`);
  if (!isOnPath) console.log(`This folder is not in PATH. Add it:\n  export PATH="${folder}:$PATH"`);
  console.log("Next: switchyard demo");
}
