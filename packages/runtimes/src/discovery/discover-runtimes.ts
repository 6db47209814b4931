import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../json/is-record.ts";
import { parseDocument } from "../json/parse-document.ts";
import { loadRuntimePackage } from "./load-runtime-package.ts";
import type { RuntimeFault, RuntimeOrigin, RuntimePackage } from "./runtime-package.ts";

/** Folder of runtime packages in a project, in the user's configuration and in an npm package. */
const FOLDER = "agent-runtimes";

/** Where runtime packages are looked for. */
export interface DiscoverRuntimesOptions {
  /** The project's folder: its own packages and those of its dependencies. Leave it out unless it is trusted. */
  readonly project?: string | undefined;
  /** The user's folder of configuration. */
  readonly user?: string | undefined;
}

/** What was found. */
export interface DiscoveredRuntimes {
  /** Packages that can be used, by folder. */
  readonly packages: readonly RuntimePackage[];
  /** Folders that cannot. */
  readonly faults: readonly RuntimeFault[];
}

/**
 * Finds runtime packages: in `agent-runtimes/` of the project, of the npm packages that it depends on, and of the
 * user's folder. A folder that is none is reported and keeps the others from nothing. Nothing of a package is run.
 * agent-runtime-package: package layout.
 */
export async function discoverRuntimes({ project, user }: DiscoverRuntimesOptions): Promise<DiscoveredRuntimes> {
  const places: { folder: string; origin: RuntimeOrigin }[] = [];
  if (project !== undefined) {
    places.push({ folder: join(project, FOLDER), origin: "project" });
    for (const name of await dependenciesOf(project)) {
      places.push({ folder: join(project, "node_modules", name, FOLDER), origin: "package" });
    }
  }
  if (user !== undefined) places.push({ folder: join(user, FOLDER), origin: "user" });
  const packages: RuntimePackage[] = [];
  const faults: RuntimeFault[] = [];
  for (const { folder, origin } of places) {
    for (const name of await foldersIn(folder)) {
      const path = join(folder, name);
      try {
        const found = await loadRuntimePackage(path, { origin });
        // One package that is linked into several places is no conflict with itself.
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
    // Most projects have no such folder.
    return [];
  }
  const found: string[] = [];
  for (const name of names.sort()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    // Followed: a package may be linked.
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
