import type { BodyTemplate } from "../template/render-body.ts";
import { referencesOf, type Template } from "../template/template.ts";
import type { CustomEngineConfig } from "./custom-engine-config.ts";

/** Returns all templates of a body. */
export function templatesOfBody(body: BodyTemplate): readonly Template[] {
  switch (body.kind) {
    case "text":
      return [body.template];
    case "list":
      return body.items.flatMap(templatesOfBody);
    case "map":
      return body.entries.flatMap(([, value]) => templatesOfBody(value));
    default:
      return [];
  }
}

function templatesOf({ env, kwargs, transport }: CustomEngineConfig): readonly Template[] {
  const common = [...Object.values(env), ...Object.values(kwargs)];
  if (transport.transport === "local") {
    const { command, args, cwd, inputFile, outputFile } = transport;
    const further = [cwd, inputFile, outputFile].flatMap((template) => (template === undefined ? [] : [template]));
    return [...common, command, ...args, ...further];
  }
  const { url, headers, body } = transport;
  return [
    ...[...common, url, ...headers.map(([, value]) => value)],
    ...(body === undefined ? [] : templatesOfBody(body)),
  ];
}

/**
 * Returns the names of all variables to which a configuration refers: `optional` if every reference has a default, and
 * `required` otherwise.
 */
export function referencedNames(config: CustomEngineConfig): ReadonlyMap<string, "required" | "optional"> {
  const names = new Map<string, "required" | "optional">();
  for (const { name, fallback } of templatesOf(config).flatMap((template) => referencesOf(template))) {
    if (fallback === undefined) names.set(name, "required");
    else if (!names.has(name)) names.set(name, "optional");
  }
  return names;
}
