import { toUpperSnake } from "../detection/is-secret-name.ts";
import { type DataRules, maskData } from "../masker/mask-data.ts";
import { isSecretArgument } from "./find-command-secrets.ts";
import type { RedactionRules } from "./redaction-rules.ts";

const FLAG = /^--?[A-Za-z][\w-]*$/u;
/**
 * Names of secret headers. Used for headers that are written as an array in which each name is followed by its value.
 */
const HEADER = /^(?:(?:PROXY_)?AUTHORIZATION|(?:SET_)?COOKIE|X_(?:API_KEY|AUTH_TOKEN|ACCESS_TOKEN|CSRF_TOKEN))$/;

/** Replaces every text in a nested structure. Numbers, booleans and empty texts are unchanged. */
function replaceTexts(value: unknown, marker: string): unknown {
  if (typeof value === "string") return value === "" ? value : marker;
  if (Array.isArray(value)) return value.map((item: unknown) => replaceTexts(item, marker));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceTexts(item, marker)]));
}

function replacementOf(name: string, item: unknown, rules: RedactionRules): unknown {
  if (item === null || item === undefined || item === "") return item;
  if (rules.isDeclared?.(name) === true || rules.isSecretField?.(name, item) === true) return rules.marker;
  // Numbers and booleans are counts or settings, such as `max_tokens`, even if the key looks secret.
  if (typeof item === "number" || typeof item === "boolean") return item;
  if (typeof item === "string" || rules.redactsStructures === true) return rules.marker;
  return replaceTexts(item, rules.marker);
}

/** Returns whether an object represents a header or parameter: `{ name: "authorization", value: "…" }`. */
function isNamedValue(field: string, owner: object, rules: RedactionRules): boolean {
  if (field !== "value") return false;
  const entries = new Map<string, unknown>(Object.entries(owner));
  const name = entries.get("name") ?? entries.get("key") ?? entries.get("header");
  return typeof name === "string" && rules.isSecretKey(name);
}

interface Field {
  readonly name: string;
  readonly item: unknown;
  readonly owner: object;
}

function isSecretField({ name, item, owner }: Field, rules: RedactionRules): boolean {
  if (rules.isSecretField?.(name, item) === true) return true;
  return rules.isSecretKey(name) || rules.isDeclared?.(name) === true || isNamedValue(name, owner, rules);
}

function toDataRules(rules: RedactionRules): DataRules {
  return {
    marker: rules.marker,
    field: (name, item, owner) =>
      rules.replacementOf?.(name, item, owner) ??
      (rules.ignoresFields !== true && isSecretField({ name, item, owner }, rules)
        ? { replacement: replacementOf(name, item, rules) }
        : undefined),
    hidesItem: (list, index) => {
      const [before, item] = [list[index - 1], list[index]];
      if (rules.ignoresFields === true || typeof before !== "string" || typeof item !== "string" || item === "")
        return false;
      if (FLAG.test(before) && !item.startsWith("-") && rules.isSecretKey(before.replace(/^-+/u, ""))) return true;
      return HEADER.test(toUpperSnake(before)) || isSecretArgument(list, index);
    },
  };
}

/** Redacts plain data: the values of secret keys, and everything in texts that the function `text` redacts. */
export function redactFields(data: unknown, text: (text: string) => string, rules: RedactionRules): unknown {
  return maskData(data, text, toDataRules(rules));
}
