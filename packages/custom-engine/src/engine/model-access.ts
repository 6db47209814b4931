import { EngineError } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { referencedNames } from "../config/referenced-names.ts";

/** Access of one run to models, such as a run of the gateway in `@switchyard/gateway`. */
export interface ModelAccess {
  /** Value of the template variable `${model_base_url}`, such as `http://127.0.0.1:41234`. */
  readonly baseUrl: string;
  /** Value of the template variable `${model_token}`. */
  readonly token: Secret;
  /** Ends the access. */
  close(): Promise<void>;
}

/** Opens the access of a run to models. */
export type OpenModelAccess = (runId: string) => Promise<ModelAccess>;

/** Template variables whose values come from the access to models. */
const VARIABLES = ["model_base_url", "model_token"] as const;

/**
 * Opens the access of a run to models if the configuration refers to it. Rejects with `config.invalid` if the
 * configuration refers to it without a default, and the host offers no access.
 */
export async function openAccessOf(
  config: CustomEngineConfig,
  open: OpenModelAccess | undefined,
  runId: string,
): Promise<ModelAccess | undefined> {
  const references = referencedNames(config);
  const found = VARIABLES.filter((name) => references.has(name));
  if (found.length === 0) return undefined;
  if (open !== undefined) return await open(runId);
  const required = found.find((name) => references.get(name) === "required");
  if (required === undefined) return undefined;
  const problem = `it refers to \${${required}}, but the host of this run offers no model gateway`;
  throw new EngineError("config.invalid", { field: "engine.custom", problem });
}
