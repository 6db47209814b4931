import { EngineError } from "@switchyard/contracts";
import { ALIAS_QUARANTINE, RUNTIME_ALIASES } from "../contract/provider-defaults.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";

/** That a runtime was asked for by a name of old. agent-runtime-package: manifest fields. */
export interface DeprecatedAlias {
  /** `homeboy/deprecated-runtime-alias/v1`. */
  readonly schema: string;
  /** The name of old. */
  readonly alias: string;
  /** Canonical id to use instead. */
  readonly replacement: string;
  /** Under which names of old are kept apart. */
  readonly quarantine: string;
  /** Always `deprecated`. */
  readonly status: "deprecated";
}

/** What is declared twice; none of it is used. */
export interface RuntimeConflict {
  /** Of what the id is. */
  readonly kind: "runtime" | "provider";
  /** The id. */
  readonly id: string;
  /** Folders that declare it. */
  readonly folders: readonly string[];
}

/** What a caller asks for. agent-runtime-package: default-backend policy ownership. */
export interface ProviderSelection {
  /** Which backend; nothing is chosen by default. */
  readonly backend: string;
  /** Id of the runtime. */
  readonly runtime?: string | undefined;
  /** Id of the provider. */
  readonly provider?: string | undefined;
  /** What it must be capable of. */
  readonly capabilities?: readonly string[] | undefined;
  /** Which lifecycle it may be in; any but `disabled` by default. */
  readonly statuses?: readonly string[] | undefined;
}

/** A provider and the package it belongs to. */
export interface SelectedProvider {
  /** The package. */
  readonly runtime: RuntimePackage;
  /** Its provider. */
  readonly provider: ExecutorProvider;
  /** Set when the runtime was asked for by a name of old. */
  readonly deprecation?: DeprecatedAlias | undefined;
}

/** Installed runtimes by canonical id. */
export interface RuntimeRegistry {
  /** Packages that can be used, by id. */
  readonly runtimes: readonly RuntimePackage[];
  /** What cannot be used, as it is declared twice. */
  readonly conflicts: readonly RuntimeConflict[];
  /** A package by its id or a name of old. Throws `runtime.not_found` and `runtime.id_conflict`. */
  resolve(id: string): { readonly runtime: RuntimePackage; readonly deprecation?: DeprecatedAlias | undefined };
  /**
   * The one provider that fits. Throws `runtime.not_found`, `runtime.capability_missing`, `runtime.ambiguous`,
   * `runtime.id_conflict`, and `runtime.request_invalid` without a backend.
   */
  select(selection: ProviderSelection): SelectedProvider;
}

/** Makes a registry of packages. Ids that are declared twice are conflicts, and neither is used. */
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
    const places = wanted === undefined ? runtimes.map((runtime) => ({ runtime })) : [resolve(wanted)];
    return places.flatMap((place) =>
      place.runtime.manifest.agent_task_executors
        .filter(({ id }) => isTwice(providerConflicts, id) === undefined)
        .map((provider) => ({ ...place, provider })),
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
  const asked = describeSelection(selection);
  if (named.length === 0) throw new EngineError("runtime.not_found", { runtime: asked, known });
  const capable = named.filter(({ provider }) => missingCapabilities(provider, capabilities).length === 0);
  const [first, second] = capable;
  if (first === undefined) {
    const lacking = named.flatMap(({ provider }) => missingCapabilities(provider, capabilities));
    throw new EngineError("runtime.capability_missing", { runtime: asked, capability: [...new Set(lacking)] });
  }
  if (second !== undefined) {
    throw new EngineError("runtime.ambiguous", { runtime: asked, found: capable.map(({ provider }) => provider.id) });
  }
  return first;
}

/** Capabilities of a list that a provider does not declare. agent-runtime-package: capability declarations. */
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
  return [...folders].flatMap(([id, places]) => (places.length > 1 ? [{ kind, id, folders: places }] : []));
}
