/** Ids of tool calls as one API accepts them: the same id always becomes the same, and two never meet. */
export interface CallIdMap {
  /** The id to send. */
  toWire(id: string): string;
}

const MAX_LENGTH = 64;

/** A map for one request. Ids that fit the shape stay as they are. */
export function createCallIdMap(shape: RegExp): CallIdMap {
  const wireIds = new Map<string, string>();
  const taken = new Set<string>();
  return {
    toWire(id) {
      const known = wireIds.get(id);
      if (known !== undefined) return known;
      const base = shape.test(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_LENGTH - 4) || "call";
      let wireId = base;
      for (let n = 2; taken.has(wireId); n += 1) wireId = `${base}_${n}`;
      taken.add(wireId);
      wireIds.set(id, wireId);
      return wireId;
    },
  };
}
