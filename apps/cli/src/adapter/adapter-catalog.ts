import { relative } from "node:path";
import type { AdapterKind } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";
import type { DiscoverAdaptersOptions, FoundAdapter } from "@switchyard/runner";
import type { CodeSource, ProjectCode } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { ADAPTER_KINDS, loadBundledAdapter } from "./adapters.ts";

/** An adapter that can be named. */
interface CatalogEntry {
  /** Name of its kind. */
  readonly kind: string;
  /** Package of the project that it comes from; nothing for those that come with the program. */
  readonly packageName?: string | undefined;
  /** Whether its package is there. */
  readonly isInstalled: boolean;
}

/** The adapters that can be named here. Nothing of one is loaded before it is named. agent-adapter: registry. */
export interface AdapterCatalog {
  /** All of them, those of the program first. */
  readonly entries: readonly CatalogEntry[];
  /** Their kinds. */
  readonly kinds: readonly string[];
  /** Loads one, which runs its code. Rejects with `adapter.kind_unknown` and `adapter.load_failed`. */
  load(kind: string): Promise<AdapterKind>;
}

/**
 * The adapters of the program and, where a folder is given, of the project in it: give one only where somebody who may
 * trusts it. `code` is asked before a package of it is loaded. A project cannot take a name of the program's own. architecture: decision 20.
 */
export async function openAdapterCatalog(
  context: CommandContext,
  trustedProject: string | undefined,
  code?: ProjectCode,
): Promise<AdapterCatalog> {
  const bundled = ADAPTER_KINDS.map((kind) => ({ kind, isInstalled: true }));
  const all = trustedProject === undefined ? [] : await foundIn(context, trustedProject);
  const found = all.filter(({ kind }) => !ADAPTER_KINDS.includes(kind));
  return {
    entries: [...bundled, ...found],
    kinds: [...new Set([...ADAPTER_KINDS, ...found.map(({ kind }) => kind)])],
    load: async (kind) => {
      if (ADAPTER_KINDS.includes(kind)) return loadBundledAdapter(kind);
      const named = found.filter((one) => one.kind === kind);
      const [only] = named;
      if (only === undefined || trustedProject === undefined) {
        throw new EngineError("adapter.kind_unknown", {
          kind,
          known: [...ADAPTER_KINDS, ...found.map((one) => one.kind)],
        });
      }
      if (named.length > 1) {
        const others = named.map(({ packageName }) => packageName).join(" and ");
        throw loadFailure(only.packageName, `${others} are both named ${kind}; remove one`);
      }
      const path = await findAdapterModule(only, trustedProject);
      await code?.admit(await codeOf(only, { path, project: trustedProject }));
      return loadPackage(context, only, path);
    },
  };
}

/**
 * Rejects with `engine.not_trusted` if a folder that is not trusted has a package for an engine of this name. Looks at
 * the names of its folders only.
 */
export async function assertTrusted(context: CommandContext, engine: string, folder: string): Promise<void> {
  const packageName = await untrustedPackage(context, engine, folder);
  if (packageName === undefined) return;
  throw new EngineError("engine.not_trusted", { engine, source: `the package ${packageName}` });
}

/** Name of the package for an engine in a folder that is not trusted; `undefined` if there is none. */
export async function untrustedPackage(
  context: CommandContext,
  engine: string,
  folder: string,
): Promise<string | undefined> {
  const found = await foundIn(context, folder, { namesOnly: true }).catch(() => []);
  return found.find(({ kind }) => kind === engine)?.packageName;
}

async function foundIn(
  { env }: CommandContext,
  root: string,
  options: DiscoverAdaptersOptions = {},
): Promise<FoundAdapter[]> {
  const [{ openLocalEnvironment }, { discoverAdapters }] = await Promise.all([
    import("@switchyard/environment/local"),
    import("@switchyard/runner"),
  ]);
  await using project = await openLocalEnvironment({ root, env });
  return await discoverAdapters(project, options);
}

async function findAdapterModule({ packageName }: FoundAdapter, project: string): Promise<string> {
  const { findModule } = await import("../verify/find-module.ts");
  return findModule(packageName, project).catch((error: unknown) => {
    throw loadFailure(packageName, "it is not installed", error);
  });
}

/** The module that is loaded, and the package around it. */
async function codeOf(
  { kind, packageName }: FoundAdapter,
  { path, project }: { readonly path: string; readonly project: string },
): Promise<CodeSource> {
  const { findPackageFolder } = await import("@switchyard/settings");
  const folder = await findPackageFolder(packageName, project);
  const module = { name: relative(folder ?? project, path), path };
  const roots = [...(folder === undefined ? [] : [{ name: packageName, path: folder }]), module];
  return { engine: kind, source: `the package ${packageName}`, roots };
}

async function loadPackage(
  { importModule }: CommandContext,
  { kind, packageName }: FoundAdapter,
  path: string,
): Promise<AdapterKind> {
  const { isAdapterKind } = await import("@switchyard/adapter-kit");
  let module: unknown;
  try {
    module = await importModule(path);
  } catch (error) {
    throw loadFailure(packageName, error instanceof Error ? error.message : "it cannot be loaded", error);
  }
  const exported: readonly unknown[] = typeof module === "object" && module !== null ? Object.values(module) : [];
  const adapter = exported.filter(isAdapterKind).find((one) => one.kind === kind);
  if (adapter === undefined) throw loadFailure(packageName, `it exports no adapter of kind ${kind}`);
  return adapter;
}

function loadFailure(packageName: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("adapter.load_failed", { package: packageName, problem }, { cause });
}
