import { referencesOf } from "../template/template.ts";
import type { CustomEngineConfig } from "./custom-engine-config.ts";
import { templatesOfBody } from "./referenced-names.ts";

/**
 * Returns whether a configuration refers to the API key. Also returns whether each of these references has a default,
 * in which case no key is needed. See custom-engine: API key.
 */
export function refersToApiKey({ env, transport }: CustomEngineConfig): "no" | "may" | "must" {
  const templates = [
    ...Object.values(env),
    ...(transport.transport === "http" ? transport.headers.map(([, value]) => value) : []),
    ...(transport.transport === "http" && transport.body !== undefined ? templatesOfBody(transport.body) : []),
  ];
  const references = templates.flatMap((template) => referencesOf(template)).filter(({ name }) => name === "api_key");
  if (references.length === 0) return "no";
  return references.some(({ fallback }) => fallback === undefined) ? "must" : "may";
}
