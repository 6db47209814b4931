import { OUTCOME_STATUSES, PROVIDER_STATUSES, WORKSPACE_MODES, WRITE_SCOPES } from "../contract/vocabulary.ts";
import { isRecord } from "../json/is-record.ts";
import { STRICT_PROVIDER_FIELDS, STRICT_ROOT_FIELDS } from "./manifest-schema.ts";
import type { ExecutorProvider, RuntimeManifest } from "./runtime-manifest.ts";

/** Returns the fields of the specification that a manifest lacks. See architecture: decision 15. */
export function strictProblems(document: unknown): string[] {
  if (!isRecord(document)) return [];
  const problems = missing(document, STRICT_ROOT_FIELDS, "");
  const providers = document["agent_task_executors"];
  if (!Array.isArray(providers)) return problems;
  providers.forEach((provider: unknown, index) => {
    if (isRecord(provider)) {
      problems.push(...missing(provider, STRICT_PROVIDER_FIELDS, `agent_task_executors[${index}].`));
    }
  });
  return problems;
}

/** Returns warnings about a manifest: problems that do not prevent running its providers. */
export function manifestWarnings(manifest: RuntimeManifest): string[] {
  return manifest.agent_task_executors.flatMap((provider, index) =>
    providerWarnings(manifest, provider).map((warning) => `agent_task_executors[${index}].${warning}`),
  );
}

function providerWarnings({ id }: RuntimeManifest, provider: ExecutorProvider): string[] {
  const { cwd, write_scope: scope } = provider.workspace_materialization ?? {};
  const unknown = (provider.outcome_statuses ?? []).filter((status) => !has(OUTCOME_STATUSES, status));
  return [
    ...(provider.id.startsWith(`${id}.`) ? [] : [`id: ${provider.id} is not namespaced by ${id}`]),
    ...unknown.map((status) => `outcome_statuses: ${status} is not a known status`),
    ...unknownValue("status", provider.status, PROVIDER_STATUSES),
    ...unknownValue("workspace_materialization.cwd", cwd, WORKSPACE_MODES),
    ...unknownValue("workspace_materialization.write_scope", scope, WRITE_SCOPES),
  ];
}

function unknownValue(field: string, value: string | undefined, known: readonly string[]): string[] {
  return value === undefined || has(known, value) ? [] : [`${field}: ${value} is not one of: ${known.join(", ")}`];
}

function has(values: readonly string[], value: string): boolean {
  return values.includes(value);
}

function missing(map: Record<string, unknown>, fields: readonly string[], prefix: string): string[] {
  return fields.flatMap((field) => {
    const value = map[field];
    if (value === undefined) return [`${prefix}${field} is required`];
    return typeof value === "string" && value.trim() === "" ? [`${prefix}${field} must not be empty`] : [];
  });
}
