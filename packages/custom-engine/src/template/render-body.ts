import { STRUCTURES } from "./built-in-variables.ts";
import { renderTemplate, type TemplateValues } from "./render-template.ts";
import type { Template } from "./template.ts";

/** A JSON body whose strings are templates; keys and other scalars are used unchanged. */
export type BodyTemplate =
  | { readonly kind: "text"; readonly template: Template }
  | { readonly kind: "scalar"; readonly value: number | boolean | null }
  | { readonly kind: "list"; readonly items: readonly BodyTemplate[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [key: string, value: BodyTemplate])[] };

/**
 * Renders the body of one call. A string that consists only of a variable such as `${messages}` becomes the variable's
 * JSON value. See custom-engine: HTTP transport.
 */
export function renderBody(body: BodyTemplate, values: TemplateValues): unknown {
  switch (body.kind) {
    case "scalar":
      return body.value;
    case "list":
      return body.items.map((item) => renderBody(item, values));
    case "map":
      // `fromEntries` creates an own property even for a key such as `__proto__`.
      return Object.fromEntries(body.entries.map(([key, value]) => [key, renderBody(value, values)]));
    default:
      return renderText(body.template, values);
  }
}

function renderText(template: Template, values: TemplateValues): unknown {
  const [first] = template;
  if (template.length === 1 && first?.kind === "reference" && STRUCTURES.has(first.name)) {
    return values.structures[first.name];
  }
  return renderTemplate(template, values);
}
