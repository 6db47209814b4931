import { referencesOf } from "../template/template.ts";
import type { CustomEngineConfig } from "./custom-engine-config.ts";
import { templatesOfBody } from "./referenced-names.ts";

/**
 * Returns whether a configuration needs the API key: `no` if it does not refer to the key, `may` if each reference has
 * a default, `must` otherwise. See custom-engine: API key.
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
