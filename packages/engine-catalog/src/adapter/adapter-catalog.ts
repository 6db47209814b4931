import { relative } from "node:path";
import type { AdapterKind } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";
import type { AdapterCatalog, AdapterModule, DiscoverAdaptersOptions, FoundAdapter } from "@switchyard/extensions";
import { AGENT_ENGINE } from "@switchyard/runner";
import type { CodeSource, ProjectCode } from "@switchyard/settings";
import type { EngineHost } from "../engine/engine-host.ts";
import { ADAPTER_KINDS, loadBundledAdapter } from "./adapters.ts";

/**
 * Opens the catalog of adapters (support for third-party agents). It contains the bundled adapters and, if a trusted
 * folder is given, the adapters of the project in that folder. `code` checks each package of the project before the
 * package is imported.
 */
export async function openAdapterCatalog(
  host: EngineHost,
  trustedProject: string | undefined,
  code?: ProjectCode,
): Promise<AdapterCatalog<AdapterKind>> {
  const [{ createAdapterCatalog }, { isAdapterKind }] = await Promise.all([
    import("@switchyard/extensions"),
    import("@switchyard/adapter-kit"),
  ]);
  const project =
    trustedProject === undefined ? undefined : { folder: trustedProject, found: await foundIn(host, trustedProject) };
  return createAdapterCatalog({
    ...{ bundledKinds: ADAPTER_KINDS, loadBundled: loadBundledAdapter, project, isAdapter: isAdapterKind },
    importModule: host.importModule,
    beforeImport: async (module) => code?.admit(await codeOf(module)),
  });
}

/** Lists the names of the engines that can be opened: the agent, and the adapters as in {@link openAdapterCatalog}. */
export async function engineNames(host: EngineHost, trustedProject?: string): Promise<readonly string[]> {
  const { kinds } = await openAdapterCatalog(host, trustedProject);
  return [AGENT_ENGINE, ...kinds];
}

/**
 * Rejects with `engine.not_trusted` if the engine name refers to an adapter package in a folder that is not trusted.
 * Reads only the names of package folders, not their files.
 */
export async function assertTrusted(host: EngineHost, engine: string, folder: string): Promise<void> {
  const packageName = await untrustedPackage(host, engine, folder);
  if (packageName === undefined) return;
  throw new EngineError("engine.not_trusted", { engine, source: `the package ${packageName}` });
}

/** Returns the name of the package in an untrusted folder that provides the engine; `undefined` if there is none. */
export async function untrustedPackage(host: EngineHost, engine: string, folder: string): Promise<string | undefined> {
  const found = await foundIn(host, folder, { namesOnly: true }).catch(() => []);
  return found.find(({ kind }) => kind === engine)?.packageName;
}

async function foundIn(
  { env }: Pick<EngineHost, "env">,
  root: string,
  options: DiscoverAdaptersOptions = {},
): Promise<FoundAdapter[]> {
  const [{ openLocalEnvironment }, { discoverAdapters }] = await Promise.all([
    import("@switchyard/environment/local"),
    import("@switchyard/extensions"),
  ]);
  await using project = await openLocalEnvironment({ root, env });
  return await discoverAdapters(project, options);
}

/**
 * Returns the files whose digest is checked before an import: the adapter's module and the package that contains it.
 */
async function codeOf({ kind, packageName, path, project }: AdapterModule): Promise<CodeSource> {
  const { findPackageFolder } = await import("@switchyard/settings");
  const folder = await findPackageFolder(packageName, project);
  const module = { name: relative(folder ?? project, path), path };
  const roots = [...(folder === undefined ? [] : [{ name: packageName, path: folder }]), module];
  return { engine: kind, source: `the package ${packageName}`, roots };
}
