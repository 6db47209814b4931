import type { ModelApi } from "@switchyard/contracts";

/** Wire formats of the vendors whose address need not be configured, by the name of the provider. */
export const VENDOR_APIS: Readonly<Record<string, readonly ModelApi[]>> = {
  anthropic: ["anthropic-messages"],
  openai: ["openai-responses", "openai-chat"],
  gemini: ["gemini"],
};
