import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";

/** What templates can name: `group.key`, `orchestrator.run_id` and the like. */
export interface TemplateScope {
  readonly group: Readonly<Record<string, unknown>>;
  readonly orchestrator: Readonly<Record<string, unknown>>;
}

const TOKEN = /\{\{\s*((?:group|orchestrator)(?:\.[A-Za-z0-9_-]+)+)\s*\}\}/gu;
const ONLY_TOKEN = new RegExp(`^${TOKEN.source}$`, "u");

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function renderText(text: string, scope: TemplateScope): unknown {
  const [, path] = ONLY_TOKEN.exec(text) ?? [];
  // A text that is nothing but a token becomes the value itself.
  if (path !== undefined) return valueAt(scope, path);
  // What is put in is not looked at again: items are data.
  return text.replace(TOKEN, (_token, found: string) => asText(valueAt(scope, found)));
}

/** A template with its tokens replaced, at every level; keys stay as they are. Other braces stay too. */
export function renderTemplate(template: unknown, scope: TemplateScope): unknown {
  if (typeof template === "string") return renderText(template, scope);
  if (Array.isArray(template)) return template.map((item) => renderTemplate(item, scope));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, renderTemplate(value, scope)]));
}
