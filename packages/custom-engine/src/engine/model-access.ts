import { EngineError } from "@switchyard/contracts";
import type { ModelAccess, ModelAccessRequest, OpenModelAccess } from "@switchyard/engine";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { referencedNames } from "../config/referenced-names.ts";
import type { Template } from "../template/template.ts";

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

/** Returns true if a URL names the loopback interface. `suffix` contains the tokens that follow the URL's first text. */
function isLoopback(text: string, suffix: Template = []): boolean {
  // A reference after an incomplete host could be a part of the host.
  if (suffix.length > 0 && !/^https?:\/\/[^/?#]+[/?#]/i.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.[\d.]+$/.test(hostname);
}

/**
 * Returns false if the engine is a service on another machine, or on one that depends on the run, and the address for
 * its model calls is a loopback address of this machine.
 */
function isReachable({ transport }: CustomEngineConfig, { baseUrl }: ModelAccess): boolean {
  if (transport.transport === "local" || !isLoopback(baseUrl)) return true;
  const [first, ...rest] = transport.url;
  return first?.kind === "literal" && isLoopback(first.text, rest);
}

/**
 * Opens access to models for a run if the configuration refers to `${model_base_url}` or `${model_token}`. Resolves with
 * `undefined` if there is no access and each reference has a default. Rejects with `config.invalid` if there is no
 * access and a reference has no default, and with the errors of `open`. There is also no access if the engine is a
 * service that cannot reach the address.
 */
export async function openAccessOf(
  config: CustomEngineConfig,
  open: OpenModelAccess | undefined,
  request: ModelAccessRequest,
): Promise<ModelAccess | undefined> {
  const need = refersToModelAccess(config);
  if (need === "no") return undefined;
  const access = await open?.(request);
  if (access !== undefined && !isReachable(config, access)) {
    // The service could not use the token, so it must not get it.
    await access.close();
    if (need === "may") return undefined;
    const problem = "the service gets `${model_base_url}`, which only this machine reaches; its host must be localhost";
    throw new EngineError("config.invalid", { field: "engine.custom.http.url", problem });
  }
  if (access !== undefined || need === "may") return access;
  const references = referencedNames(config);
  const required = VARIABLES.find((name) => references.get(name) === "required") ?? "";
  const problem =
    open === undefined
      ? `it refers to \${${required}}, but the host of this run offers no model gateway`
      : `it refers to \${${required}}, but the model gateway has no API key for the model provider`;
  throw new EngineError("config.invalid", { field: "engine.custom", problem });
}
