import { EngineError } from "@switchyard/contracts";
import { ALIAS_QUARANTINE, RUNTIME_ALIASES } from "../contract/provider-defaults.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";

/** Notice that a runtime was requested by a deprecated alias. See agent-runtime-package: manifest fields. */
export interface DeprecatedAlias {
  /** Schema id: `homeboy/deprecated-runtime-alias/v1`. */
  readonly schema: string;
  /** Deprecated alias. */
  readonly alias: string;
  /** Canonical id to use instead. */
  readonly replacement: string;
  /** Value that marks the alias as a deprecated runtime id. */
  readonly quarantine: string;
  /** Always `deprecated`. */
  readonly status: "deprecated";
}

/** An id that is declared by several packages. None of the declarations is used. */
export interface RuntimeConflict {
  /** Kind of the id. */
  readonly kind: "runtime" | "provider";
  /** Id that is declared by several packages. */
  readonly id: string;
  /** Folders of the packages that declare the id. */
  readonly folders: readonly string[];
}

/**
 * Criteria for selecting the provider that executes a task. See agent-runtime-package: default-backend policy
 * ownership.
 */
export interface ProviderSelection {
  /** Name of the backend of the provider. There is no default. */
  readonly backend: string;
  /** Id of the runtime. Default: any. */
  readonly runtime?: string | undefined;
  /** Id of the provider. Default: any. */
  readonly provider?: string | undefined;
  /** Capabilities that the provider must declare. */
  readonly capabilities?: readonly string[] | undefined;
  /** Allowed lifecycle statuses. Default: all except `disabled`. */
  readonly statuses?: readonly string[] | undefined;
}

/** A selected provider and its runtime package. */
export interface SelectedProvider {
  /** Package of the provider. */
  readonly runtime: RuntimePackage;
  /** Selected provider. */
  readonly provider: ExecutorProvider;
  /** Notice about a deprecated alias. `undefined` if the runtime was not requested by one. */
  readonly deprecation?: DeprecatedAlias | undefined;
}

/** Installed runtimes by canonical id. */
export interface RuntimeRegistry {
  /** Valid packages, by id. */
  readonly runtimes: readonly RuntimePackage[];
  /** Ids that are declared by several packages. */
  readonly conflicts: readonly RuntimeConflict[];
  /**
   * Returns the runtime package with an id or deprecated alias. Throws `runtime.not_found` or `runtime.id_conflict`.
   */
  resolve(id: string): { readonly runtime: RuntimePackage; readonly deprecation?: DeprecatedAlias | undefined };
  /**
   * Returns the only provider that matches the criteria. Throws `runtime.not_found`, `runtime.capability_missing`,
   * `runtime.ambiguous`, `runtime.id_conflict`, or `runtime.request_invalid` if the criteria name no backend.
   */
  select(selection: ProviderSelection): SelectedProvider;
}

/** Creates a registry of runtime packages. If several packages declare the same id, none of them is used. */
export function createRuntimeRegistry(packages: readonly RuntimePackage[]): RuntimeRegistry {
  const runtimeConflicts = conflictsOf("runtime", packages, ({ id }) => [id]);
  const providerConflicts = conflictsOf("provider", packages, providerIds);
  const isTwice = (conflicts: readonly RuntimeConflict[], id: string) => conflicts.find((one) => one.id === id);
  const runtimes = packages
    .filter(({ id }) => isTwice(runtimeConflicts, id) === undefined)
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const known = runtimes.map(({ id }) => id);

  const resolve: RuntimeRegistry["resolve"] = (id) => {
    const conflict = isTwice(runtimeConflicts, id);
    if (conflict !== undefined) throw new EngineError("runtime.id_conflict", { runtime: id, found: conflict.folders });
    const found = runtimes.find((runtime) => runtime.id === id);
    if (found !== undefined) return { runtime: found };
    const deprecation = deprecationOf(id);
    const runtime = runtimes.find((one) => one.id === deprecation?.replacement);
    if (runtime === undefined) throw new EngineError("runtime.not_found", { runtime: id, known });
    return { runtime, deprecation };
  };

  const candidates = ({ runtime: wanted }: ProviderSelection): SelectedProvider[] => {
    const sources = wanted === undefined ? runtimes.map((runtime) => ({ runtime })) : [resolve(wanted)];
    return sources.flatMap((source) =>
      source.runtime.manifest.agent_task_executors
        .filter(({ id }) => isTwice(providerConflicts, id) === undefined)
        .map((provider) => ({ ...source, provider })),
    );
  };

  return {
    runtimes,
    conflicts: [...runtimeConflicts, ...providerConflicts],
    resolve,
    select(selection) {
      if (selection.backend.trim() === "") {
        throw new EngineError("runtime.request_invalid", { problem: "executor.backend is required" });
      }
      const conflict = isTwice(providerConflicts, selection.provider ?? "");
      if (conflict !== undefined) {
        throw new EngineError("runtime.id_conflict", { runtime: conflict.id, found: conflict.folders });
      }
      return chooseOne(candidates(selection), selection, known);
    },
  };
}

function chooseOne(
  found: readonly SelectedProvider[],
  selection: ProviderSelection,
  known: readonly string[],
): SelectedProvider {
  const { backend, provider: id, statuses, capabilities = [] } = selection;
  const named = found.filter(({ provider }) => {
    const { status = "active" } = provider;
    const isOpen = statuses === undefined ? status !== "disabled" : statuses.includes(status);
    return provider.backend === backend && isOpen && (id === undefined || provider.id === id);
  });
  const criteria = describeSelection(selection);
  if (named.length === 0) throw new EngineError("runtime.not_found", { runtime: criteria, known });
  const capable = named.filter(({ provider }) => missingCapabilities(provider, capabilities).length === 0);
  const [first, second] = capable;
  if (first === undefined) {
    const lacking = named.flatMap(({ provider }) => missingCapabilities(provider, capabilities));
    throw new EngineError("runtime.capability_missing", { runtime: criteria, capability: [...new Set(lacking)] });
  }
  if (second !== undefined) {
    throw new EngineError("runtime.ambiguous", {
      runtime: criteria,
      found: capable.map(({ provider }) => provider.id),
    });
  }
  return first;
}

/**
 * Returns those of the given capabilities that a provider does not declare. See agent-runtime-package: capability
 * declarations.
 */
export function missingCapabilities({ capabilities = [] }: ExecutorProvider, wanted: readonly string[]): string[] {
  return wanted.filter((capability) => !capabilities.includes(capability));
}

function describeSelection({ backend, runtime, provider, capabilities = [], statuses }: ProviderSelection): string {
  const parts = [
    `backend ${backend}`,
    ...(runtime === undefined ? [] : [`runtime ${runtime}`]),
    ...(provider === undefined ? [] : [`provider ${provider}`]),
    ...(capabilities.length === 0 ? [] : [`capabilities ${capabilities.join(", ")}`]),
    ...(statuses === undefined ? [] : [`status ${statuses.join(" or ")}`]),
  ];
  return `with ${parts.join(", ")}`;
}

function deprecationOf(alias: string): DeprecatedAlias | undefined {
  const aliases: Readonly<Record<string, string>> = RUNTIME_ALIASES;
  const replacement = Object.hasOwn(aliases, alias) ? aliases[alias] : undefined;
  if (replacement === undefined) return undefined;
  return {
    schema: SCHEMA_IDS.deprecated_alias,
    alias,
    replacement,
    quarantine: ALIAS_QUARANTINE,
    status: "deprecated",
  };
}

function providerIds({ manifest }: RuntimePackage): string[] {
  return manifest.agent_task_executors.map(({ id }) => id);
}

function conflictsOf(
  kind: RuntimeConflict["kind"],
  packages: readonly RuntimePackage[],
  idsOf: (found: RuntimePackage) => readonly string[],
): RuntimeConflict[] {
  const folders = new Map<string, string[]>();
  for (const found of packages) {
    for (const id of idsOf(found)) folders.set(id, [...(folders.get(id) ?? []), found.folder]);
  }
  return [...folders].flatMap(([id, folders]) => (folders.length > 1 ? [{ kind, id, folders }] : []));
}
