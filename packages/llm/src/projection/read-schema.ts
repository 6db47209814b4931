import { isRecord } from "../failure/error-info.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { isTypeName, noteOf, openNode, type SchemaNode, type TypeName, typeOfValue } from "./schema-node.ts";

type Keywords = Readonly<Record<string, unknown>>;

/**
 * Maximum number of schemas after references are expanded. Further ones are replaced with a schema that any value
 * matches.
 */
const MAX_NODES = 2_000;
/** Maximum nesting depth of schemas. Deeper ones are replaced with a schema that any value matches. */
const MAX_LEVELS = 64;

/** Keywords with simple values, each with a function that checks its value. */
const SIMPLE: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ...["title", "format", "pattern"].map((key) => [key, (value: unknown) => typeof value === "string"] as const),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map(
    (key) => [key, (value: unknown) => Number.isFinite(value)] as const,
  ),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (key) => [key, (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0] as const,
  ),
  ["multipleOf", (value) => Number.isFinite(value) && Number(value) > 0],
  ["uniqueItems", (value) => typeof value === "boolean"],
  ["default", () => true],
]);

/** Keywords that restrict values and that few or no APIs accept. */
const NARROWING = [
  ...["not", "if", "then", "else", "patternProperties", "propertyNames", "contains", "minContains", "maxContains"],
  ...["dependentRequired", "dependentSchemas", "dependencies"],
] as const;

const IMPLIED_TYPES: readonly (readonly [TypeName, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["pattern", "minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Resolves a reference within a schema. `undefined` if the target does not exist. */
export function pointerTarget(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const key = decodeToken(token);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = Reflect.get(target, key);
  }
  return target;
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}

/** Converts the boolean flags `exclusiveMinimum` and `exclusiveMaximum` of JSON Schema Draft-04 to exclusive limits. */
function withExclusiveLimits(schema: Keywords): Keywords {
  const copy: Record<string, unknown> = { ...schema };
  for (const [flag, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof copy[flag] !== "boolean") continue;
    const isExclusive = copy[flag];
    delete copy[flag];
    if (!isExclusive || copy[limit] === undefined) continue;
    copy[flag] = copy[limit];
    delete copy[limit];
  }
  return copy;
}

/** Parser for one schema document. */
class SchemaReader {
  readonly #root: unknown;
  /** References on the path from the root to the current schema. */
  readonly #path: string[] = [];
  #nodes = 0;
  #levels = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Parses a schema. `undefined` if no value can match it. */
  read(value: unknown): SchemaNode | undefined {
    if (value === false) return undefined;
    if (!isRecord(value)) return openNode();
    if (this.#levels >= MAX_LEVELS || ++this.#nodes > MAX_NODES) return openNode("Any JSON value of a fitting shape.");
    this.#levels += 1;
    try {
      return this.#readRecord(withExclusiveLimits(value));
    } finally {
      this.#levels -= 1;
    }
  }

  #readRecord(schema: Keywords): SchemaNode | undefined {
    let node: SchemaNode = this.#node(schema);
    const parts = [
      ...(typeof schema["$ref"] === "string" ? [this.#referred(schema["$ref"])] : []),
      ...(Array.isArray(schema["allOf"]) ? schema["allOf"].map((part) => this.read(part)) : []),
    ];
    for (const part of parts) {
      if (part === undefined) return undefined;
      node = mergeNodes(node, part);
    }
    return this.#withImpliedType(this.#withAlternatives(node, schema), schema);
  }

  #referred(reference: string): SchemaNode | undefined {
    if (this.#path.includes(reference)) {
      const name = reference === "#" ? "the whole" : decodeToken(reference.slice(reference.lastIndexOf("/") + 1));
      const target = pointerTarget(this.#root, reference);
      const types = isRecord(target) && isTypeName(target["type"]) ? [target["type"]] : undefined;
      return { ...openNode(`Of the same shape as ${name}.`), types };
    }
    const target = pointerTarget(this.#root, reference);
    if (target === undefined) return openNode();
    this.#path.push(reference);
    try {
      return this.read(target);
    } finally {
      this.#path.pop();
    }
  }

  /** Parses the schema's own keywords, without references and combinations. */
  #node(schema: Keywords): SchemaNode {
    const keywords: Record<string, unknown> = {};
    for (const [key, isValid] of SIMPLE) {
      if (Object.hasOwn(schema, key) && isValid(schema[key])) keywords[key] = schema[key];
    }
    const narrowing = Object.fromEntries(
      NARROWING.filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]),
    );
    const hasPatterns = isRecord(schema["patternProperties"]);
    return {
      types: this.#types(schema),
      values: this.#values(schema),
      properties: this.#properties(schema),
      required: textsOf(schema["required"]),
      // A property that matches `patternProperties` is not an additional property.
      others: hasPatterns ? undefined : this.#others(schema),
      items: this.#items(schema),
      keywords,
      description: typeof schema["description"] === "string" ? schema["description"] : undefined,
      notes: noteOf(narrowing),
    };
  }

  #types({ type, nullable }: Keywords): readonly TypeName[] | undefined {
    const types = (Array.isArray(type) ? type : [type]).filter(isTypeName);
    if (types.length === 0) return undefined;
    return [...new Set([...types, ...(nullable === true ? ["null" as const] : [])])];
  }

  #values(schema: Keywords): readonly unknown[] | undefined {
    if (Object.hasOwn(schema, "const")) return [schema["const"]];
    const values: unknown = schema["enum"];
    if (!Array.isArray(values) || values.length === 0) return undefined;
    return Array.from(new Map(values.map((value: unknown) => [JSON.stringify(value), value])).values());
  }

  #properties({ properties }: Keywords): SchemaNode["properties"] {
    if (!isRecord(properties)) return undefined;
    const entries = Object.entries(properties).flatMap(([name, value]) => {
      const node = this.read(value);
      return node === undefined ? [] : [[name, node] as const];
    });
    return Object.fromEntries(entries);
  }

  #others({ additionalProperties: others }: Keywords): SchemaNode["others"] {
    if (others === false) return false;
    return isRecord(others) ? (this.read(others) ?? false) : undefined;
  }

  #items({ items, prefixItems }: Keywords): SchemaNode | undefined {
    const tuple: unknown = Array.isArray(prefixItems) ? prefixItems : items;
    if (!Array.isArray(tuple)) return isRecord(items) ? this.read(items) : undefined;
    const nodes = tuple.flatMap((item) => this.read(item) ?? []);
    if (isRecord(items)) nodes.push(this.read(items) ?? openNode());
    // Further items of a tuple, which the schema may allow without describing them, are ignored, because they are rare.
    const [only] = nodes;
    return nodes.length > 1 ? { ...openNode(), anyOf: nodes } : only;
  }

  #withAlternatives(node: SchemaNode, schema: Keywords): SchemaNode {
    let merged = node;
    for (const key of ["anyOf", "oneOf"] as const) {
      const branches: unknown = schema[key];
      if (!Array.isArray(branches)) continue;
      const nodes = branches.flatMap((branch) => this.read(branch) ?? []);
      const [only] = nodes;
      if (only === undefined) continue;
      merged = mergeNodes(merged, nodes.length === 1 ? only : { ...openNode(), anyOf: nodes });
    }
    return merged;
  }

  /** Adds the type `object` to schemas that only describe properties, because that is nearly always meant. */
  #withImpliedType(node: SchemaNode, schema: Keywords): SchemaNode {
    if (node.types !== undefined) return node;
    if (node.values !== undefined) {
      const types = new Set(node.values.map(typeOfValue));
      if (types.has("number")) types.delete("integer");
      return { ...node, types: [...types] };
    }
    if (node.anyOf !== undefined) return node;
    const implied = IMPLIED_TYPES.find(([, keys]) => keys.some((key) => Object.hasOwn(schema, key)));
    return implied === undefined ? node : { ...node, types: [implied[0]] };
  }
}

/**
 * Parses any value as a JSON Schema. `undefined` if no value can match it. Expands references, except recursive ones.
 */
export function readSchema(schema: unknown): SchemaNode | undefined {
  return new SchemaReader(schema).read(schema);
}
