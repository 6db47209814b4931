import type { ExecutionEnvironment } from "@switchyard/contracts";

/** Matches package names of adapters: `switchyard-adapter-NAME`, with or without a scope. */
const ADAPTER_PACKAGE = /^(?:@[\w.~-]+\/)?switchyard-adapter-([\w.~-]+)$/u;
/** Maximum size of a project's `package.json`, in characters. A larger file is ignored. */
const MAX_MANIFEST_CHARS = 1024 * 1024;
/** Maximum number of adapters of a project. Further ones are ignored. */
const MAX_FOUND = 200;
const FIELDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** Package of a project whose name marks it as an adapter. Its code has not been loaded. */
export interface FoundAdapter {
  /** Adapter kind: the last part of the package's name. */
  readonly kind: string;
  /** Name of the package. */
  readonly packageName: string;
  /** Whether the package is installed. `false` if only the project's manifest names it. */
  readonly isInstalled: boolean;
}

/** Options of `discoverAdapters`. */
export interface DiscoverAdaptersOptions {
  /** Whether to read only names of folders, but no files, because the project is not trusted. Default: `false`. */
  readonly namesOnly?: boolean | undefined;
}

/**
 * Finds the adapters of a project by package names in `node_modules` and `package.json`, sorted by kind. The project
 * must be trusted, except with `namesOnly`. Loads no code. Unreadable files are treated as missing. See agent-adapter:
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
    const manifest: unknown = text.length > MAX_MANIFEST_CHARS ? undefined : JSON.parse(text);
    if (!isRecord(manifest)) return [];
    const names = FIELDS.flatMap((field) => Object.keys(isRecord(manifest[field]) ? manifest[field] : {}));
    return names.filter((name) => ADAPTER_PACKAGE.test(name));
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
