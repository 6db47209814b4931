import { EngineError } from "@switchyard/contracts";
import { looksLikeCredential } from "@switchyard/secrets";
import { describeIssues } from "../json/describe-issues.ts";
import { isRecord } from "../json/is-record.ts";
import { parseDocument } from "../json/parse-document.ts";
import { runtimeManifestSchema } from "./manifest-schema.ts";
import type { RuntimeManifest } from "./runtime-manifest.ts";
import { manifestWarnings, strictProblems } from "./strict-problems.ts";

/**
 * Strictness of manifest validation. `strict`: all fields of the specification are required. `load`: only the fields
 * that are needed to run the provider are required.
 */
export type ManifestLevel = "strict" | "load";

/** A parsed manifest. */
export interface ParsedManifest {
  /** Manifest, including unknown fields. */
  readonly manifest: RuntimeManifest;
  /** Manifest document as it was passed in, before validation and defaults. */
  readonly document: unknown;
  /** Warnings about the manifest. */
  readonly warnings: readonly string[];
}

/** Options for `parseManifest`. */
export interface ParseManifestOptions {
  /** Which fields must be present. Default: `load`, only those that are needed to run the provider. */
  readonly level?: ManifestLevel | undefined;
  /** Name of the document in error messages. */
  readonly path?: string | undefined;
}

/**
 * Parses a manifest. All problems are reported together, each with the path of its field. Throws
 * `runtime.manifest_invalid`. See agent-runtime-package: manifest fields; architecture: decision 15.
 */
export function parseManifest(
  text: string,
  { level = "load", path = "of the runtime" }: ParseManifestOptions = {},
): ParsedManifest {
  const parsed = parseDocument(text);
  if (parsed.kind === "malformed") {
    const problem = `it is not valid JSON at line ${parsed.line}, column ${parsed.column}: ${parsed.problem}`;
    throw new EngineError("runtime.manifest_invalid", { path, problem });
  }
  const { value: document } = parsed;
  const checked = runtimeManifestSchema.safeParse(document, { reportInput: true });
  const problems = [
    ...(checked.success ? [] : describeIssues(checked.error.issues)),
    ...(level === "strict" ? strictProblems(document) : []),
    ...credentialsIn(document, ""),
  ];
  if (checked.success && problems.length === 0) {
    return { manifest: checked.data, document, warnings: manifestWarnings(checked.data) };
  }
  const unique = [...new Set(problems)];
  throw new EngineError("runtime.manifest_invalid", { path, problem: unique.join("; "), problems: unique });
}

/** Returns the paths of values that look like credentials, without the values. */
function credentialsIn(value: unknown, path: string): string[] {
  if (typeof value === "string") {
    return looksLikeCredential(value) ? [`${path} contains a credential; declare secrets by name, never by value`] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => credentialsIn(item, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => credentialsIn(item, path === "" ? key : `${path}.${key}`));
}
