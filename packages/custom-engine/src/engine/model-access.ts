import { EngineError } from "@switchyard/contracts";
import type { ModelAccess, ModelAccessRequest, OpenModelAccess } from "@switchyard/engine";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { referencedNames } from "../config/referenced-names.ts";

/** Template variables with the address and the token for model calls. */
const VARIABLES = ["model_base_url", "model_token"] as const;

/**
 * Returns whether a configuration refers to `${model_base_url}` or `${model_token}`: `no` if it refers to neither,
 * `may` if each reference has a default, `must` otherwise.
 */
export function refersToModelAccess(config: CustomEngineConfig): "no" | "may" | "must" {
  const references = referencedNames(config);
  const found = VARIABLES.flatMap((name) => references.get(name) ?? []);
  if (found.length === 0) return "no";
  return found.includes("required") ? "must" : "may";
}

/**
 * Opens access to models for a run if the configuration refers to `${model_base_url}` or `${model_token}`. Rejects with
 * `config.invalid` if a reference has no default and the host offers no access, and with the errors of `open`.
 */
export async function openAccessOf(
  config: CustomEngineConfig,
  open: OpenModelAccess | undefined,
  request: ModelAccessRequest,
): Promise<ModelAccess | undefined> {
  const need = refersToModelAccess(config);
  if (need === "no") return undefined;
  const access = await open?.(request);
  if (access !== undefined || need === "may") return access;
  const references = referencedNames(config);
  const required = VARIABLES.find((name) => references.get(name) === "required") ?? "";
  const problem =
    open === undefined
      ? `it refers to \${${required}}, but the host of this run offers no model gateway`
      : `it refers to \${${required}}, but the model gateway has no API key for the model provider`;
  throw new EngineError("config.invalid", { field: "engine.custom", problem });
}
