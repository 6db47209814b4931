import { EngineError } from "@switchyard/contracts";
import type { ModelAccess, ModelAccessRequest, OpenModelAccess } from "@switchyard/engine";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { referencedNames } from "../config/referenced-names.ts";

/** Template variables whose values come from the access to models. */
const VARIABLES = ["model_base_url", "model_token"] as const;

/**
 * Opens the access of a run to models if the configuration refers to it. Rejects with `config.invalid` if the
 * configuration refers to it without a default, and the host offers no access.
 */
export async function openAccessOf(
  config: CustomEngineConfig,
  open: OpenModelAccess | undefined,
  request: ModelAccessRequest,
): Promise<ModelAccess | undefined> {
  const references = referencedNames(config);
  const found = VARIABLES.filter((name) => references.has(name));
  if (found.length === 0) return undefined;
  const access = await open?.(request);
  if (access !== undefined) return access;
  const required = found.find((name) => references.get(name) === "required");
  if (required === undefined) return undefined;
  const problem = `it refers to \${${required}}, but the host of this run offers no model gateway`;
  throw new EngineError("config.invalid", { field: "engine.custom", problem });
}
