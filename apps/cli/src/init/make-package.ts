import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createPackage, isEmptyFolder, packageNameProblem } from "@switchyard/extensions";
import { toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import { quoteWord } from "../run/quote-word.ts";
import type { InitKind, InitOptions } from "./init-options.ts";

const VENDORED =
  "Its folder vendor/ contains the Switchyard packages that it needs, because they are not published yet.\n";

/** Package to create, and the options of the command. */
export interface PackageChoice extends InitOptions {
  /** Kind of package. */
  readonly kind: InitKind;
  /** Name, without the package prefix `switchyard-adapter-` or `switchyard-engine-`. */
  readonly name: string;
}

/**
 * Creates a package in a new or empty folder. Resolves with exit code 0. Rejects with `usage.invalid` and
 * `output.unwritable`.
 */
export async function makePackage(
  context: CommandContext,
  { kind, name, folder, json }: PackageChoice,
): Promise<number> {
  const problem = packageNameProblem(name);
  if (problem !== undefined) throw usageError(problem, `init ${kind}`);
  if (kind === "adapter" && (await isOwnEngine(name))) {
    // A project cannot replace a built-in engine, so an adapter with this name could not be selected.
    // See architecture: decision 20.
    throw usageError(`${name} is the name of a built-in engine. Use another name.`, "init adapter");
  }
  const packageName = `switchyard-${kind}-${name}`;
  const target = resolve(context.workingDirectory, folder ?? packageName);
  if (!(await isEmptyFolder(target))) {
    throw usageError(`${target} is not empty. Choose another folder with --folder.`, `init ${kind}`);
  }
  const template = join(context.assetDirectory, "templates", kind);
  const bundled = bundledPackages(context);
  const files = await createPackage({
    ...{ template, target, name, version: context.version },
    bundledPackages: bundled,
  });
  const next = `cd ${quoteWord(folder ?? packageName)} && npm install && npm test`;
  if (json === true) {
    context.stdout.write(`${toPlainJson({ package: packageName, folder: target, files, next })}\n`);
  } else {
    const vendored = bundled === undefined ? "" : VENDORED;
    context.stdout.write(`Created ${packageName} in ${target}.\n${vendored}Next: ${next}\n`);
  }
  return 0;
}

/**
 * Returns the folder of package archives that exists only if `npm run install:cli` installed the command from a clone.
 */
function bundledPackages({ assetDirectory }: CommandContext): string | undefined {
  const folder = join(assetDirectory, "packages");
  return existsSync(folder) ? folder : undefined;
}

async function isOwnEngine(name: string): Promise<boolean> {
  const [{ AGENT_ENGINE }, { ADAPTER_KINDS }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/engine-catalog"),
  ]);
  return [AGENT_ENGINE, ...ADAPTER_KINDS].includes(name);
}
