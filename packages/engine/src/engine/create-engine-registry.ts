import { type Engine, EngineError } from "@switchyard/contracts";

/** An engine, or a function that creates the engine on first use. */
export type EngineEntry = Engine | (() => Engine | Promise<Engine>);

/** Engines by name. */
export interface EngineRegistry {
  /**
   * Resolves with the engine that is registered under a name. The engine is created once. Rejects with
   * `engine.not_found`.
   */
  resolve(name: string): Promise<Engine>;
  /** Returns all names, sorted. */
  names(): string[];
  /** Adds an engine. Throws `engine.duplicate`. */
  register(name: string, entry: EngineEntry): void;
}

/** Creates a registry of the given engines. */
export function createEngineRegistry(engines: Readonly<Record<string, EngineEntry>> = {}): EngineRegistry {
  const entries = new Map<string, EngineEntry>(Object.entries(engines));
  const made = new Map<string, Promise<Engine>>();
  const names = (): string[] => [...entries.keys()].sort();

  async function make(name: string): Promise<Engine> {
    const entry = entries.get(name);
    if (entry === undefined) throw new EngineError("engine.not_found", { engine: name, known: names() });
    return typeof entry === "function" ? entry() : entry;
  }

  return {
    names,
    register(name, entry) {
      if (entries.has(name)) throw new EngineError("engine.duplicate", { engine: name });
      entries.set(name, entry);
    },
    async resolve(name) {
      const known = made.get(name);
      if (known !== undefined) return known;
      const making = make(name);
      made.set(name, making);
      try {
        return await making;
      } catch (error) {
        // A failed creation is retried on the next call.
        made.delete(name);
        throw error;
      }
    },
  };
}
