import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";

/**
 * Values for the tokens of a template. Each key is the first part of a token's path, such as `group` in
 * `{{group.key}}`.
 */
export type TemplateScope = Readonly<Record<string, unknown>>;

const TOKEN = /\{\{\s*([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)\s*\}\}/gu;
const ONLY_TOKEN = new RegExp(`^${TOKEN.source}$`, "u");

/** Formats a value for insertion into a longer text: a list of scalars as `a1, a2`, other data as JSON. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    return value.map((item) => String(item ?? "")).join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isKnown(path: string, scope: TemplateScope): boolean {
  return Object.hasOwn(scope, path.split(".", 1)[0] ?? "");
}

function renderText(text: string, scope: TemplateScope): unknown {
  const [, path] = ONLY_TOKEN.exec(text) ?? [];
  // A text that is a single token is replaced by the value itself, which may be any data.
  if (path !== undefined && isKnown(path, scope)) return valueAt(scope, path);
  // Inserted values that look like tokens are not replaced again.
  return text.replace(TOKEN, (token, found: string) => (isKnown(found, scope) ? asText(valueAt(scope, found)) : token));
}

/**
 * Replaces the tokens in all texts of a nested template. Object keys, and tokens with an unknown first part, are
 * unchanged.
 */
export function renderTemplate(template: unknown, scope: TemplateScope): unknown {
  if (typeof template === "string") return renderText(template, scope);
  if (Array.isArray(template)) return template.map((item) => renderTemplate(item, scope));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, renderTemplate(value, scope)]));
}
