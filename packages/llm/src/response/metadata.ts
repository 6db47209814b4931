import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { ProviderMetadata } from "@switchyard/contracts";

/**
 * Metadata of one part, merged from all its chunks. A later value replaces an earlier one, unless the later value is
 * null.
 */
export interface MetadataCollector {
  /** Adds the metadata of one stream chunk. */
  add(metadata: SharedV3ProviderMetadata | undefined): void;
  /** Returns the merged metadata as a property whose name is the AI SDK's name of the API family. */
  collected(): ProviderMetadata | undefined;
}

/** Creates a collector for the metadata of one response part. */
export function createMetadataCollector(family: string, namespace: string): MetadataCollector {
  let merged: Record<string, unknown> | undefined;
  return {
    add(metadata) {
      const found = metadata?.[namespace];
      if (found === undefined) return;
      for (const [name, value] of Object.entries(found)) {
        merged ??= {};
        if (value !== null && value !== undefined) merged[name] = value;
        else if (!(name in merged)) merged[name] = value;
      }
    },
    collected: () => (merged === undefined ? undefined : { [family]: merged }),
  };
}
