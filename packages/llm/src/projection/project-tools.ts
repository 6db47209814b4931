import type { JSONSchema7, LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { messageOf, type ToolDefinition } from "@switchyard/contracts";
import { projectSchema } from "./project-schema.ts";
import { safeName, withSafeNames } from "./safe-names.ts";
import type { SchemaRules } from "./schema-rules.ts";

/** Tools as an API accepts them, and the mapping of tool calls back to the original names. */
export interface ProjectedTools {
  /** Tools to send, in order. */
  readonly tools: readonly LanguageModelV3FunctionTool[];
  /** Names under which the tools are sent to the API, by original name. */
  readonly wireNames: ReadonlyMap<string, string>;
  /** Returns the original name of a called tool. */
  readonly toName: (wireName: string) => string;
  /** Converts the model's arguments to the tool's original property names. */
  readonly toArguments: (wireName: string, args: string) => string;
}

/** Result of converting one tool schema to what an API accepts. */
type Parameters =
  | { readonly kind: "projected"; readonly schema: JSONSchema7; readonly restore: (args: string) => string }
  | { readonly kind: "refused"; readonly problem: string };

/** Caches projected schemas per rule set, because the same tool definitions are sent with each request. */
const known = new WeakMap<SchemaRules, WeakMap<object, Parameters>>();

function makeParameters(parameters: unknown, rules: SchemaRules): Parameters {
  try {
    const projected = projectSchema(parameters, rules);
    if (projected.kind === "refused") return projected;
    const { schema, restore } = withSafeNames(projected.schema, rules.propertyName.value);
    return { kind: "projected", schema: { ...schema }, restore };
  } catch (error) {
    return { kind: "refused", problem: `its schema cannot be read: ${messageOf(error)}` };
  }
}

function parametersOf({ parameters }: ToolDefinition, rules: SchemaRules): Parameters {
  if (typeof parameters !== "object" || parameters === null) return makeParameters(parameters, rules);
  const ofRules = known.get(rules) ?? new WeakMap<object, Parameters>();
  known.set(rules, ofRules);
  const projected = ofRules.get(parameters) ?? makeParameters(parameters, rules);
  ofRules.set(parameters, projected);
  return projected;
}

/** Options for projecting tools. */
export interface ProjectToolsOptions {
  /** Rules of the API. */
  readonly rules: SchemaRules;
  /** Whether the API enforces the schemas. `undefined`: the API's default. */
  readonly strict: boolean | undefined;
  /** Called with a warning for each omitted tool. */
  readonly warn: (warning: string) => void;
}

/**
 * Converts tools to definitions that an API accepts. A tool that cannot be sent is omitted with a warning; all other
 * tools are sent.
 */
export function projectTools(
  definitions: readonly ToolDefinition[],
  { rules, strict, warn }: ProjectToolsOptions,
): ProjectedTools {
  const tools: LanguageModelV3FunctionTool[] = [];
  const wireNames = new Map<string, string>();
  const sent = new Map<string, { name: string; restore: (args: string) => string }>();
  const taken = new Set(definitions.map(({ name }) => name));
  const omit = ({ name, source }: ToolDefinition, reason: string): void => {
    const owner = source === undefined ? "" : ` of ${source}`;
    warn(`The tool ${name}${owner} was left out of the request to ${rules.target}: ${reason}.`);
  };
  const most = rules.maxTools.value;
  for (const definition of definitions) {
    const { name, description } = definition;
    const parameters = parametersOf(definition, rules);
    const wireName = safeName(name, { isSafe: rules.toolName.value, taken });
    if (parameters.kind === "refused") omit(definition, parameters.problem);
    else if (sent.has(wireName)) omit(definition, "another tool has its name");
    else if (most !== undefined && tools.length >= most) omit(definition, `only ${most} tools are accepted`);
    else {
      const { schema: inputSchema, restore } = parameters;
      tools.push({
        type: "function",
        name: wireName,
        description,
        inputSchema,
        ...(strict === undefined ? {} : { strict }),
      });
      taken.add(wireName);
      wireNames.set(name, wireName);
      sent.set(wireName, { name, restore });
    }
  }
  return {
    tools,
    wireNames,
    toName: (wireName) => sent.get(wireName)?.name ?? wireName,
    toArguments: (wireName, args) => sent.get(wireName)?.restore(args) ?? args,
  };
}
