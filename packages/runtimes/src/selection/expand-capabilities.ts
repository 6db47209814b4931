import { EngineError } from "@switchyard/contracts";
import { CAPABILITIES } from "../contract/vocabulary.ts";

/** Bundles of capabilities. The name of a bundle stands for several capabilities or other bundles. */
export type CapabilityBundles = Readonly<Record<string, readonly string[]>>;

/**
 * Replaces the names of bundles with the members of the bundles, without duplicates. A member must be a bundle, a
 * standard capability or an entry of `known`. Requested names that are not bundles may be any text. Throws
 * `config.invalid` for a cycle or an unknown member. See agent-runtime-package: capability declarations.
 */
export function expandCapabilities(
  names: readonly string[],
  bundles: CapabilityBundles,
  known: readonly string[] = [],
): string[] {
  const capabilities = new Set<string>([...CAPABILITIES, ...known]);
  const expand = (name: string, above: readonly string[]): string[] => {
    const members = Object.hasOwn(bundles, name) ? bundles[name] : undefined;
    if (above.includes(name)) throw broken([...above, name].join(" → "), "it contains itself");
    if (members !== undefined) return members.flatMap((member) => expand(member, [...above, name]));
    if (above.length > 0 && !capabilities.has(name)) throw broken(above.join(" → "), `${name} is not known`);
    return [name];
  };
  return [...new Set(names.flatMap((name) => expand(name, [])))];
}

function broken(bundle: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field: `capability bundle ${bundle}`, problem });
}
