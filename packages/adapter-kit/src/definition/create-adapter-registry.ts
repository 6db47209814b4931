import { EngineError } from "@switchyard/contracts";
import type { AdapterKind } from "./define-adapter.ts";

/** Adapter kinds by name. Each kind creates adapters for one agent. See agent-adapter: registry. */
export interface AdapterRegistry {
  /**
   * Returns the adapter kind with exactly the given name. Throws `adapter.kind_unknown`, whose details list the known
   * kinds.
   */
  get(kind: string): AdapterKind;
  /** Adds a kind. Throws `adapter.kind_taken` if the name is in use. */
  register(kind: AdapterKind): void;
  /** Returns all names, sorted. */
  kinds(): string[];
}

/** Creates a registry of the given adapter kinds. Importing an adapter's package does not register its kinds. */
export function createAdapterRegistry(kinds: readonly AdapterKind[] = []): AdapterRegistry {
  const known = new Map<string, AdapterKind>();
  const names = (): string[] => [...known.keys()].sort();
  function register(kind: AdapterKind): void {
    if (kind.kind.trim() === "") {
      throw new EngineError("adapter.kind_taken", { kind: "(empty)", problem: "it has no name" });
    }
    if (known.has(kind.kind)) {
      throw new EngineError("adapter.kind_taken", { kind: kind.kind, problem: "another adapter has this kind" });
    }
    known.set(kind.kind, kind);
  }
  for (const kind of kinds) register(kind);
  return {
    register,
    kinds: names,
    get(kind) {
      const found = known.get(kind);
      if (found === undefined) throw new EngineError("adapter.kind_unknown", { kind, known: names() });
      return found;
    },
  };
}
