import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { isRecord } from "../json/is-record.ts";
import type { EvidenceRef, TaskArtifact, TaskDiagnostic } from "./task-outcome.ts";

/**
 * Converts a provider's reference to an artifact to a `TaskArtifact`, the format that all providers share. Missing ids
 * and kinds are filled in. See agent-runtime-package: homeboy contract adapter.
 */
export function projectArtifact(value: unknown, index: number): TaskArtifact {
  const source = isRecord(value) ? value : { path: typeof value === "string" ? value : undefined };
  const { type, directory, ...rest } = withoutEmpty(source);
  const path = firstText(source["path"], directory);
  const id = firstText(source["id"], source["sha256"], path, source["url"]) ?? `agent-task-artifact-${index + 1}`;
  return {
    ...rest,
    schema: SCHEMA_IDS.task_artifact,
    id,
    kind: firstText(source["kind"], type) ?? "agent_task_artifact",
    ...optional("path", path),
    ...optional("url", firstText(source["url"])),
    ...optional("name", firstText(source["name"])),
    ...optional("role", firstText(source["role"])),
  };
}

/**
 * Converts a reference to evidence (a file or URL that supports an outcome) to an `EvidenceRef`, the format that all
 * providers share. `undefined` if the reference has neither a path nor a URL. See agent-runtime-package: homeboy
 * contract adapter.
 */
export function projectEvidence(value: unknown): EvidenceRef | undefined {
  if (!isRecord(value)) return undefined;
  const uri = firstText(value["uri"], value["url"], value["path"]);
  if (uri === undefined) return undefined;
  const { type, url: _, path: __, name, ...rest } = value;
  return {
    ...withoutEmpty(rest),
    kind: firstText(value["kind"], type) ?? "agent_task_evidence",
    uri,
    ...optional("label", firstText(value["label"], name)),
  };
}

/** Converts any value to a diagnostic with a class and a message. */
export function projectDiagnostic(value: unknown): TaskDiagnostic {
  if (typeof value === "string") return { class: "agent_task.note", message: value };
  const source = isRecord(value) ? value : {};
  return {
    ...source,
    class: firstText(source["class"], source["code"], source["kind"]) ?? "agent_task.note",
    message: firstText(source["message"], source["summary"]) ?? "The provider gave no message.",
  };
}

/** Returns the first non-empty string. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return undefined;
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

/** Returns a reference without the optional fields whose value is not a string. */
function withoutEmpty(source: Record<string, unknown>): Record<string, unknown> {
  const texts = new Set(["id", "kind", "name", "role", "path", "url", "label", "uri"]);
  const entries = Object.entries(source).filter(
    ([name, value]) => value !== undefined && (!texts.has(name) || typeof value === "string"),
  );
  return Object.fromEntries(entries);
}
