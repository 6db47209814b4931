import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import { quoteWord } from "../run/quote-word.ts";
import type { InitKind, InitOptions } from "./init-options.ts";

/** Names that all registries accept and that need no quoting in a shell. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;
const MAX_NAME = 60;
/** Compiler version of new packages. */
const TYPESCRIPT = "^7.0.2";

/** Options for `makePackage`. */
export interface PackageChoice extends InitOptions {
  /** Kind of package. */
  readonly kind: InitKind;
  /** Name without the package prefix. */
  readonly name: string;
}

/**
 * Creates a package in a missing or empty folder. Resolves with exit code 0. Rejects with `usage.invalid` and
 * `output.unwritable`.
 */
export async function makePackage(
  context: CommandContext,
  { kind, name, folder, json }: PackageChoice,
): Promise<number> {
  if (!NAME.test(name) || name.length > MAX_NAME) {
    const problem = `${JSON.stringify(name)} is not a valid name. Use at most ${MAX_NAME} lowercase letters, digits and single hyphens, starting with a letter.`;
    throw usageError(problem, `init ${kind}`);
  }
  if (kind === "adapter" && (await isOwnEngine(name))) {
    // Built-in engine names are reserved, so an adapter of that name could never run. architecture: decision 20.
    throw usageError(`${name} is the name of a built-in engine. Use another name.`, "init adapter");
  }
  const packageName = `switchyard-${kind}-${name}`;
  const target = resolve(context.workingDirectory, folder ?? packageName);
  await assertEmpty(target, kind);
  const template = join(context.assetDirectory, "templates", kind);
  const files = await filesBelow(template);
  try {
    for (const file of files) {
      const path = join(target, madeName(file));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, fill(await readFile(join(template, file), "utf8"), context, name), { flag: "wx" });
    }
  } catch (error) {
    throw new EngineError("output.unwritable", { path: target, problem: fileProblem(error) }, { cause: error });
  }
  const next = `cd ${quoteWord(folder ?? packageName)} && npm install && npm test`;
  const made = {
    package: packageName,
    folder: target,
    files: files.map(madeName).sort(),
    next,
  };
  if (json === true) context.stdout.write(`${toPlainJson(made)}\n`);
  else context.stdout.write(`Created ${packageName} in ${target}.\nNext: ${next}\n`);
  return 0;
}

async function isOwnEngine(name: string): Promise<boolean> {
  const [{ AGENT_ENGINE }, { ADAPTER_KINDS }] = await Promise.all([
    import("@switchyard/runner"),
    import("../adapter/adapters.ts"),
  ]);
  return [AGENT_ENGINE, ...ADAPTER_KINDS].includes(name);
}

async function assertEmpty(folder: string, kind: InitKind): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw new EngineError("output.unwritable", { path: folder, problem: fileProblem(error) }, { cause: error });
  }
  if (entries.length > 0)
    throw usageError(`${folder} is not empty. Choose another folder with --folder.`, `init ${kind}`);
}

async function filesBelow(folder: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const nested = entries.map((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, path) : [path];
  });
  return (await Promise.all(nested)).flat();
}

/**
 * Converts a template's file name. Templates use an underscore instead of a leading dot, because npm omits dot files,
 * and a real manifest would make the template a package.
 */
function madeName(file: string): string {
  return file === "_package.json" ? "package.json" : file.replace(/(^|\/)_/gu, "$1.");
}

/** Replaces the name `acme` of templates. */
function fill(text: string, { version }: CommandContext, name: string): string {
  return text
    .replaceAll("SWITCHYARD_VERSION", `^${version}`)
    .replaceAll("TYPESCRIPT_VERSION", TYPESCRIPT)
    .replaceAll("ACME", name.replaceAll("-", "_").toUpperCase())
    .replaceAll("Acme", pascalCase(name))
    .replaceAll("acme", name);
}

function pascalCase(name: string): string {
  return name
    .split("-")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}
