import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { ProviderMetadata } from "@switchyard/contracts";

/**
 * Metadata of one part, merged from all its chunks. A later value replaces an earlier one, unless the later value is
 * null.
 */
export interface MetadataCollector {
  /** Adds the metadata of one stream chunk. */
  add(metadata: SharedV3ProviderMetadata | undefined): void;
  /**
   * Returns an object with the merged metadata under the name of the API family, such as `gemini`. `undefined` if there
   * is no metadata.
   */
  collected(): ProviderMetadata | undefined;
}

/**
 * Creates a collector for the metadata of one response part. `family` is the name of the API family, `namespace` the
 * name of the family in the AI SDK.
 */
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
