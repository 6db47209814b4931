import type { ExecutionEnvironment } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";
import { parseJson } from "../input/parse-json.ts";

/** Package names of adapters: `switchyard-adapter-NAME`, optionally with a scope. */
const ADAPTER_PACKAGE = /^(?:@[\w.~-]+\/)?switchyard-adapter-([\w.~-]+)$/u;
/** Maximum length of a manifest, in characters. */
const MAX_MANIFEST_CHARS = 1024 * 1024;
/** Maximum number of adapters in a project. */
const MAX_FOUND = 200;
const FIELDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** Package of a project whose name marks it as an adapter. None of its code was loaded. */
export interface FoundAdapter {
  /** Adapter kind, from the package name. */
  readonly kind: string;
  /** Name of the package. */
  readonly packageName: string;
  /** Whether it is installed. `false` if only the project's manifest names it. */
  readonly isInstalled: boolean;
}

/** Options for `discoverAdapters`. */
export interface DiscoverAdaptersOptions {
  /**
   * Whether to look at folder names only, without reading files, because the project is not trusted. Default: `false`.
   */
  readonly namesOnly?: boolean | undefined;
}

/**
 * Finds the adapters of a project by the names in its `node_modules` and its `package.json`, sorted by kind. Loads no
 * code; unreadable files count as missing. The project must be trusted unless `namesOnly` is set. agent-adapter:
 * registry; decision 20.
 */
export async function discoverAdapters(
  project: ExecutionEnvironment,
  { namesOnly = false }: DiscoverAdaptersOptions = {},
): Promise<FoundAdapter[]> {
  const installed = await installedIn(project);
  const named = namesOnly ? [] : await namedIn(project);
  const names = [...new Set([...installed, ...named])].slice(0, MAX_FOUND);
  const found = names.flatMap((packageName) => {
    const kind = ADAPTER_PACKAGE.exec(packageName)?.[1];
    return kind === undefined ? [] : [{ kind, packageName, isInstalled: installed.includes(packageName) }];
  });
  const keyOf = ({ kind, packageName }: FoundAdapter): string => `${kind} ${packageName}`;
  return found.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

async function installedIn(project: ExecutionEnvironment): Promise<string[]> {
  const top = await namesIn(project, "node_modules");
  const scopes = top.filter((name) => name.startsWith("@"));
  const scoped = await Promise.all(
    scopes.map(async (scope) => {
      const names = await namesIn(project, `node_modules/${scope}`);
      return names.map((name) => `${scope}/${name}`);
    }),
  );
  return [...top, ...scoped.flat()].filter((name) => ADAPTER_PACKAGE.test(name));
}

async function namesIn(project: ExecutionEnvironment, path: string): Promise<string[]> {
  try {
    return (await project.listDirectory(path)).map(({ name }) => name);
  } catch {
    return [];
  }
}

async function namedIn(project: ExecutionEnvironment): Promise<string[]> {
  try {
    const text = await project.readFile("package.json");
    const manifest = text.length > MAX_MANIFEST_CHARS ? undefined : await parseJson(text, "package.json");
    if (!isRecord(manifest)) return [];
    const names = FIELDS.flatMap((field) => Object.keys(isRecord(manifest[field]) ? manifest[field] : {}));
    return names.filter((name) => ADAPTER_PACKAGE.test(name));
  } catch {
    return [];
  }
}
