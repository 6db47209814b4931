import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../json/is-record.ts";
import { parseDocument } from "../json/parse-document.ts";
import { loadRuntimePackage } from "./load-runtime-package.ts";
import type { RuntimeFault, RuntimeOrigin, RuntimePackage } from "./runtime-package.ts";

/**
 * Name of the folder that contains runtime packages. It is searched in a project, the user's configuration folder, and
 * npm packages.
 */
const FOLDER = "agent-runtimes";

/** Folders to search for runtime packages. */
export interface DiscoverRuntimesOptions {
  /**
   * Project folder. Runtime packages in this folder and in its npm dependencies are found. Omit the option unless the
   * project is trusted.
   */
  readonly project?: string | undefined;
  /** The user's configuration folder. */
  readonly user?: string | undefined;
}

/** Result of a discovery. */
export interface DiscoveredRuntimes {
  /** Valid packages, by folder. */
  readonly packages: readonly RuntimePackage[];
  /** Invalid packages. */
  readonly faults: readonly RuntimeFault[];
}

/**
 * Finds runtime packages in `agent-runtimes/` of the project, of its npm dependencies, and of the user's folder. An
 * invalid package is reported and does not affect other packages. No code of a package is run. See
 * agent-runtime-package: package layout.
 */
export async function discoverRuntimes({ project, user }: DiscoverRuntimesOptions): Promise<DiscoveredRuntimes> {
  const sources: { folder: string; origin: RuntimeOrigin }[] = [];
  if (project !== undefined) {
    sources.push({ folder: join(project, FOLDER), origin: "project" });
    for (const name of await dependenciesOf(project)) {
      sources.push({ folder: join(project, "node_modules", name, FOLDER), origin: "package" });
    }
  }
  if (user !== undefined) sources.push({ folder: join(user, FOLDER), origin: "user" });
  const packages: RuntimePackage[] = [];
  const faults: RuntimeFault[] = [];
  for (const { folder, origin } of sources) {
    for (const name of await foldersIn(folder)) {
      const path = join(folder, name);
      try {
        const found = await loadRuntimePackage(path, { origin });
        // A package that is found several times through links is listed once, so that it does not conflict with itself.
        if (!packages.some(({ id, folder: known }) => id === found.id && known === found.folder)) packages.push(found);
      } catch (error) {
        faults.push({ folder: path, problem: messageOf(error) });
      }
    }
  }
  return { packages, faults };
}

async function foldersIn(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    // The folder does not exist or cannot be listed. Most projects have no folder `agent-runtimes`.
    return [];
  }
  const found: string[] = [];
  for (const name of names.sort()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    // Links are followed, because a package may be linked.
    const entry = await stat(join(folder, name)).catch(() => undefined);
    if (entry?.isDirectory() === true) found.push(name);
  }
  return found;
}

const PACKAGE_NAME = /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/u;

async function dependenciesOf(project: string): Promise<string[]> {
  const text = await readFile(join(project, "package.json"), "utf8").catch(() => "");
  const parsed = parseDocument(text);
  if (parsed.kind === "malformed" || !isRecord(parsed.value)) return [];
  const { dependencies, devDependencies } = parsed.value;
  const names = [dependencies, devDependencies].flatMap((map) => (isRecord(map) ? Object.keys(map) : []));
  return [...new Set(names)].filter((name) => PACKAGE_NAME.test(name)).sort();
}
