import { EngineError } from "@switchyard/contracts";
import type { FoundAdapter } from "../discovery/discover-adapters.ts";
import { findModule } from "../module/find-module.ts";

/** Adapter (support for a third-party agent) that can be selected by name. */
export interface CatalogEntry {
  /** Name of the adapter. */
  readonly kind: string;
  /** Package of the project that contains the adapter; `undefined` for bundled adapters. */
  readonly packageName?: string | undefined;
  /** Whether the adapter's package is installed. */
  readonly isInstalled: boolean;
}

/** Module of an adapter package that is about to be imported. */
export interface AdapterModule extends FoundAdapter {
  /** Absolute path of the module. */
  readonly path: string;
  /** Folder of the project. */
  readonly project: string;
}

/** Options of `createAdapterCatalog`. `T` is the type of a loaded adapter. */
export interface AdapterCatalogOptions<T extends { readonly kind: string }> {
  /** Names of the adapters that are bundled with the program. A project cannot replace them. */
  readonly bundledKinds: readonly string[];
  /** Loads a bundled adapter. */
  readonly loadBundled: (kind: string) => Promise<T>;
  /** Adapters of a trusted project. Default: none. */
  readonly project?: { readonly folder: string; readonly found: readonly FoundAdapter[] } | undefined;
  /** Returns whether a value that a module exports is an adapter. */
  readonly isAdapter: (value: unknown) => value is T;
  /** Imports a module by its absolute path, which runs the module's code. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** Called before a module of the project is imported. If the callback rejects, the module is not imported. */
  readonly beforeImport?: ((module: AdapterModule) => Promise<void>) | undefined;
}

/**
 * Adapters (support for third-party agents) that can be selected by name. An adapter is loaded only when it is
 * selected. See agent-adapter: registry.
 */
export interface AdapterCatalog<T> {
  /** All adapters, bundled ones first. */
  readonly entries: readonly CatalogEntry[];
  /** Names of all adapters, without duplicates. */
  readonly kinds: readonly string[];
  /**
   * Loads an adapter by its name, which runs the adapter's code. Rejects with `adapter.kind_unknown` or
   * `adapter.load_failed`.
   */
  load(kind: string): Promise<T>;
}

/** Creates a catalog of bundled adapters and the adapters of a trusted project. See architecture: decision 20. */
export function createAdapterCatalog<T extends { readonly kind: string }>(
  options: AdapterCatalogOptions<T>,
): AdapterCatalog<T> {
  const { bundledKinds, loadBundled, project } = options;
  const found = project?.found.filter(({ kind }) => !bundledKinds.includes(kind)) ?? [];
  const known = [...bundledKinds, ...found.map(({ kind }) => kind)];
  return {
    entries: [...bundledKinds.map((kind) => ({ kind, isInstalled: true })), ...found],
    kinds: [...new Set(known)],
    load: async (kind) => {
      if (bundledKinds.includes(kind)) return loadBundled(kind);
      const named = found.filter((one) => one.kind === kind);
      const [only] = named;
      if (only === undefined || project === undefined) throw new EngineError("adapter.kind_unknown", { kind, known });
      if (named.length > 1) {
        const others = named.map(({ packageName }) => packageName).join(" and ");
        throw loadFailure(only.packageName, `${others} are both named ${kind}; remove one`);
      }
      const path = await findAdapterModule(only, project.folder);
      await options.beforeImport?.({ ...only, path, project: project.folder });
      return importAdapter(only, path, options);
    },
  };
}

async function findAdapterModule({ packageName }: FoundAdapter, project: string): Promise<string> {
  return findModule(packageName, project).catch((error: unknown) => {
    throw loadFailure(packageName, "it is not installed", error);
  });
}

async function importAdapter<T extends { readonly kind: string }>(
  { kind, packageName }: FoundAdapter,
  path: string,
  { importModule, isAdapter }: Pick<AdapterCatalogOptions<T>, "importModule" | "isAdapter">,
): Promise<T> {
  let module: unknown;
  try {
    module = await importModule(path);
  } catch (error) {
    throw loadFailure(packageName, error instanceof Error ? error.message : "it cannot be loaded", error);
  }
  const exported: readonly unknown[] = typeof module === "object" && module !== null ? Object.values(module) : [];
  const adapter = exported.filter(isAdapter).find((one) => one.kind === kind);
  if (adapter === undefined) throw loadFailure(packageName, `it exports no adapter of kind ${kind}`);
  return adapter;
}

function loadFailure(packageName: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("adapter.load_failed", { package: packageName, problem }, { cause });
}
