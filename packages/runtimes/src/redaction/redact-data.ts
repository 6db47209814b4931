import { REDACTED_VALUE } from "../contract/redaction-defaults.ts";
import { isRecord } from "../json/is-record.ts";
import { redactProse } from "./redact-prose.ts";
import { extendRedactedMetadataKeys, isRedactedKey } from "./redacted-keys.ts";

/** What of a document is redacted. */
export interface RedactDataOptions {
  /** Keys besides those that always are. */
  readonly keys?: readonly string[] | undefined;
}

/** Deeper structures are cut. */
const MAX_DEPTH = 64;

/**
 * Plain data without the values of secret keys, and without credentials in its texts. Numbers and truth values under
 * such keys stay: they are counts and settings. Redacting twice is redacting once. agent-runtime-package: secret
 * requirements.
 */
export function redactData(data: unknown, { keys = [] }: RedactDataOptions = {}): unknown {
  return redact(data, new Set(extendRedactedMetadataKeys(keys)), 0);
}

function redact(value: unknown, declared: ReadonlySet<string>, depth: number): unknown {
  if (depth > MAX_DEPTH) return REDACTED_VALUE;
  if (typeof value === "string") return redactProse(value);
  if (Array.isArray(value)) return redactList(value, declared, depth);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isRedactedKey(key, declared) && isHidden(item, declared.has(key))
        ? REDACTED_VALUE
        : redact(item, declared, depth + 1),
    ]),
  );
}

/** Of a key that merely sounds secret, counts and settings stay; of a declared one nothing does. */
function isHidden(item: unknown, isDeclared: boolean): boolean {
  if (item === null || item === "") return false;
  return isDeclared || (typeof item !== "number" && typeof item !== "boolean");
}

/** A list may be the arguments of a command: the one behind a secret flag is redacted. */
function redactList(list: readonly unknown[], declared: ReadonlySet<string>, depth: number): unknown[] {
  return list.map((item, index) => {
    const before = list[index - 1];
    const isValue =
      typeof before === "string" &&
      typeof item === "string" &&
      /^--?[A-Za-z][\w-]*$/u.test(before) &&
      !item.startsWith("-") &&
      isRedactedKey(before.replace(/^-+/u, ""), declared);
    return isValue ? REDACTED_VALUE : redact(item, declared, depth + 1);
  });
}
