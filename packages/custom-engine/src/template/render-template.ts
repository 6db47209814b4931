import { EngineError } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { KWARGS_PREFIX } from "./built-in-variables.ts";
import { problemOfMissing, type Template } from "./template.ts";

/** Values of the built-in variables in one call. */
export interface TemplateValues {
  /** Text values of variables, by name. Secrets are wrapped in `Secret`; missing variables are empty. */
  readonly texts: Readonly<Record<string, string | Secret>>;
  /** Values of the custom parameters, by parameter name. A missing parameter is empty. */
  readonly kwargs: Readonly<Record<string, string>>;
  /** JSON structures by name. */
  readonly structures: Readonly<Record<string, unknown>>;
}

/** Maximum depth of references between parameters. See custom-engine: built-in template variables. */
const MAX_DEPTH = 10;

function textOf(name: string, { texts, kwargs }: TemplateValues): string {
  if (!name.startsWith(KWARGS_PREFIX)) {
    const text = Object.hasOwn(texts, name) ? (texts[name] ?? "") : "";
    return typeof text === "string" ? text : text.reveal();
  }
  const key = name.slice(KWARGS_PREFIX.length);
  return Object.hasOwn(kwargs, key) ? (kwargs[key] ?? "") : "";
}

/**
 * Renders a template; an empty variable is replaced with its default. Inserted values are not searched for references.
 * Throws `template.unresolved` for an empty variable whose reference specifies an error message.
 */
export function renderTemplate(template: Template, values: TemplateValues): string {
  return renderWith(template, (name) => textOf(name, values));
}

function renderWith(template: Template, find: (name: string) => string): string {
  let text = "";
  for (const token of template) {
    if (token.kind === "literal") {
      text += token.text;
      continue;
    }
    const { name, fallback, message } = token;
    const value = find(name);
    if (value === "" && message !== undefined) {
      throw new EngineError("template.unresolved", { name, problem: problemOfMissing({ name, message }) });
    }
    text += value === "" ? (fallback ?? "") : value;
  }
  return text;
}

/**
 * Renders parameters, which may refer to built-in variables and to each other. Throws `template.cycle` if references
 * form a cycle or are more than ten levels deep. See custom-engine: custom parameters.
 */
export function renderKwargs(
  templates: Readonly<Record<string, Template>>,
  values: Omit<TemplateValues, "kwargs">,
): Record<string, string> {
  const rendered = new Map<string, RenderedKwarg>();
  const render = (key: string, field: string, path: readonly string[]): RenderedKwarg => {
    const done = rendered.get(key);
    if (done !== undefined) return done;
    if (path.includes(key) || path.length > MAX_DEPTH) throw cycle(field);
    let depth = 0;
    const template = Object.hasOwn(templates, key) ? (templates[key] ?? []) : [];
    const text = renderWith(template, (name) => {
      if (!name.startsWith(KWARGS_PREFIX)) return textOf(name, { ...values, kwargs: {} });
      const inner = render(name.slice(KWARGS_PREFIX.length), field, [...path, key]);
      depth = Math.max(depth, inner.depth + 1);
      return inner.text;
    });
    if (depth > MAX_DEPTH) throw cycle(field);
    rendered.set(key, { text, depth });
    return { text, depth };
  };
  return Object.fromEntries(Object.keys(templates).map((key) => [key, render(key, key, []).text]));
}

/** A rendered parameter, and the nesting depth of its references to other parameters. */
interface RenderedKwarg {
  readonly text: string;
  readonly depth: number;
}

function cycle(key: string): EngineError {
  return new EngineError("template.cycle", { field: `engine.custom.kwargs.${key}` });
}
