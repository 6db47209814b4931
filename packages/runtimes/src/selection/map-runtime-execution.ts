import { EngineError } from "@switchyard/contracts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";
import { firstText } from "../task/project-references.ts";
import type { OpenFields } from "../task/task-request.ts";
import { missingCapabilities } from "./runtime-registry.ts";

/** A request's `runtime_execution` in the provider's own format. */
export interface MappedExecution {
  /** Name of the field in the runtime profile, which contains settings for the provider. */
  readonly field: string;
  /**
   * Value of the field that `field` names: `runtime_execution.ability` if the request contains it. Otherwise the fields
   * of `runtime_execution` except `kind` and `schema`.
   */
  readonly value: unknown;
}

/**
 * Converts a request's `runtime_execution` to a field of the runtime profile, which contains settings for the provider.
 * Throws `runtime.request_invalid` if `runtime_execution.kind` is missing or not declared by the provider, or if the
 * kind is `ability` and the field `ability` is missing. Throws `runtime.capability_missing` if the provider lacks a
 * capability that the kind requires. See agent-runtime-package: runtime execution contracts.
 */
export function mapRuntimeExecution(provider: ExecutorProvider, descriptor: OpenFields): MappedExecution {
  const kind = firstText(descriptor["kind"]);
  if (kind === undefined) throw invalid("runtime_execution.kind is required");
  const contracts = provider.runtime_execution_contracts ?? {};
  const contract = Object.hasOwn(contracts, kind) ? contracts[kind] : undefined;
  const ability = firstText(descriptor["ability"]);
  if (kind === "ability") {
    if (ability === undefined) throw invalid("runtime_execution.ability is required for direct execution");
    assertCapable(provider, contract?.required_capabilities ?? ["ability_execution"]);
    return { field: contract?.ability_field ?? "ability", value: ability };
  }
  if (contract === undefined) {
    throw invalid(`runtime_execution kind ${kind} is not supported by runtime profile ${provider.id}`);
  }
  assertCapable(provider, contract.required_capabilities ?? []);
  const { kind: _, schema: __, ...rest } = descriptor;
  return { field: contract.ability_field, value: ability ?? rest };
}

function assertCapable(provider: ExecutorProvider, required: readonly string[]): void {
  const missing = missingCapabilities(provider, required);
  if (missing.length === 0) return;
  throw new EngineError("runtime.capability_missing", { runtime: provider.id, capability: missing });
}

function invalid(problem: string): EngineError {
  return new EngineError("runtime.request_invalid", { problem, problems: [problem] });
}
