/** Maps tool call ids to ids that an API accepts. The mapping is stable, and different ids stay different. */
export interface CallIdMap {
  /** Returns the tool call id to send to the API. */
  toWire(id: string): string;
}

const MAX_LENGTH = 64;

/**
 * Creates a map from the ids of tool calls to ids that the provider accepts, for one request. Ids that match the
 * pattern are unchanged.
 */
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
