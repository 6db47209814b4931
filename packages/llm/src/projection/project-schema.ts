import type { JSONObject, JSONValue } from "@ai-sdk/provider";
import { isRecord } from "../failure/error-info.ts";
import { toJsonValue } from "../request/plain-data.ts";
import { flattenRoot } from "./flatten-root.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { isSentPattern } from "./portable-pattern.ts";
import { readSchema } from "./read-schema.ts";
import { hasType, noteOf, openNode, type SchemaNode, type TypeName, typeOfValue } from "./schema-node.ts";
import type { SchemaRules } from "./schema-rules.ts";

/** A schema as an API accepts it, or the reason why it cannot be sent. */
export type ProjectedSchema =
  | { readonly kind: "projected"; readonly schema: JSONObject }
  | { readonly kind: "refused"; readonly problem: string };

/** Maximum size of a schema as JSON, in UTF-16 code units. A larger one is not sent. */
const MAX_CHARS = 256 * 1024;

/** Types to which each simple keyword applies. The keyword is omitted from schemas of other types. */
const TYPES_OF: Readonly<Record<string, readonly TypeName[]>> = {
  ...{ pattern: ["string"], format: ["string"], minLength: ["string"], maxLength: ["string"] },
  ...{ minimum: ["number", "integer"], maximum: ["number", "integer"], multipleOf: ["number", "integer"] },
  ...{ exclusiveMinimum: ["number", "integer"], exclusiveMaximum: ["number", "integer"] },
  ...{ minItems: ["array"], maxItems: ["array"], uniqueItems: ["array"] },
  ...{ minProperties: ["object"], maxProperties: ["object"] },
};

/** Types that together stand for "any value", for APIs that require a type in every schema. */
const ANY_VALUE: readonly TypeName[] = ["string", "number", "boolean", "object"];

class SchemaProjection {
  readonly #rules: SchemaRules;

  constructor(rules: SchemaRules) {
    this.#rules = rules;
  }

  /** Writes the schema of a node at a depth below the root. */
  write(node: SchemaNode, level: number): JSONObject {
    const { types, anyOf } = node;
    if (anyOf !== undefined) return this.#union(node, anyOf, level);
    const named = types ?? (this.#rules.needsType.value ? ANY_VALUE : undefined);
    if (named === undefined) return this.#single(node, undefined, level);
    const isNullable = named.includes("null") && named.length > 1;
    const others = named.filter((type) => type !== "null");
    const policy = this.#rules.types.value;
    if (named.length === 1 || policy === "list" || (policy === "nullable" && others.length === 1)) {
      return this.#single(node, named, level);
    }
    const split = (policy === "union" ? named : others).map((type): SchemaNode => ({ ...ofType(node, type) }));
    const branches = policy === "nullable" && isNullable ? withNull(split) : split;
    const { description, notes, keywords } = node;
    const untyped = { ...openNode(...notes), description, keywords: keywordsWithoutTypes(keywords) };
    return this.#union(untyped, branches, level);
  }

  #union(node: SchemaNode, branches: readonly SchemaNode[], level: number): JSONObject {
    const { anyOf: _, ...base } = node;
    const isNullable = branches.some(isNull);
    const isSdkNullable = this.#rules.types.value === "nullable" && isNullable;
    const rest = isSdkNullable ? withNull(branches.filter((branch) => !isNull(branch))) : branches;
    const [only] = rest;
    if (only === undefined) return this.write({ ...base, types: ["null"] }, level);
    if (rest.length === 1) return this.write(mergeNodes(base, only), level);
    if (!this.#rules.isUnionAlone.value) {
      const written = distinct(rest.map((branch) => this.write(branch, level + 1)));
      const types = this.#rules.types.value === "list" || base.types?.length === 1 ? base.types : undefined;
      return { ...this.#single(base, types, level), anyOf: written };
    }
    // Keywords next to a union apply to each alternative. The description is sent only once.
    const merged = rest.map((branch, index) => {
      const { description, notes, ...silent } = base;
      const common = index === 0 ? base : { ...silent, notes: [] };
      return mergeNodes(branch, common);
    });
    const flat = merged.flatMap((branch) => {
      const written = this.write(branch, level + 1);
      return Object.keys(written).length === 1 && Array.isArray(written["anyOf"]) ? written["anyOf"] : [written];
    });
    const written = distinct(flat);
    const [single] = written;
    return written.length === 1 && isRecord(single) ? toObject(single) : { anyOf: written };
  }

  /** Writes a schema without a union. */
  #single(node: SchemaNode, types: readonly TypeName[] | undefined, level: number): JSONObject {
    const written: JSONObject = {};
    const dropped: Record<string, unknown> = {};
    const notes: string[] = [];
    if (types !== undefined) written["type"] = types.length === 1 ? (types[0] ?? null) : [...types];
    if (node.description !== undefined) written["description"] = node.description;
    this.#writeKeywords(node, { types, written, dropped });
    this.#writeValues(node, { types, written, dropped });
    if (level >= this.#rules.maxLevels.value) {
      if (node.properties !== undefined || node.items !== undefined) notes.push("Nested further as JSON.");
    } else {
      if (types === undefined || types.includes("object")) notes.push(...this.#writeObject(node, written, level));
      if (types === undefined || types.includes("array")) this.#writeArray(node, { types, written }, level);
    }
    if (level >= this.#rules.maxLevels.value && types?.includes("array") === true && this.#rules.needsItems.value) {
      written["items"] = { type: "string" };
    }
    const text = [node.description, ...node.notes, ...notes, ...noteOf(dropped)].filter((part) => part !== undefined);
    if (text.length > 0) written["description"] = text.join(" ");
    return written;
  }

  #writeKeywords({ keywords: schemaKeywords }: SchemaNode, { types, written, dropped }: Writing): void {
    const { keywords, formats, patterns } = this.#rules;
    for (const [key, value] of Object.entries(schemaKeywords)) {
      const about = TYPES_OF[key];
      if (about !== undefined && types !== undefined && !types.some((type) => about.includes(type))) continue;
      const isSent =
        keywords.value.includes(key) &&
        (key !== "format" || formats.value === undefined || formats.value.includes(String(value))) &&
        (key !== "pattern" || isSentPattern(value, patterns.value));
      if (isSent) written[key] = toJsonValue(value);
      else if (key !== "title" && key !== "default") dropped[key] = value;
    }
  }

  #writeValues({ values }: SchemaNode, { types, written, dropped }: Writing): void {
    if (values === undefined) return;
    const fitting = values.filter((value) => types === undefined || hasType(types, typeOfValue(value)));
    if (fitting.length === 0) return;
    const isText = types?.every((type) => type === "string" || type === "null") === true;
    const texts = fitting.filter((value) => typeof value === "string" && value !== "");
    if (this.#rules.enums.value === "any") written["enum"] = toValues(fitting);
    else if (isText && texts.length > 0 && !fitting.includes("")) written["enum"] = toValues(texts);
    else if (!isText || texts.length > 0) dropped["enum"] = fitting;
  }

  #writeObject(node: SchemaNode, written: JSONObject, level: number): readonly string[] {
    const { required = [], others } = node;
    const isNamed = (name: string): boolean => Object.hasOwn(node.properties ?? {}, name);
    // Required properties without a schema may have any value.
    const unnamed = others === false ? [] : required.filter((name) => !isNamed(name));
    const properties = Object.fromEntries([
      ...Object.entries(node.properties ?? {}),
      ...unnamed.map((name) => [name, others === undefined || others === false ? openNode() : others] as const),
    ]);
    const { properties: rule, additionalProperties } = this.#rules;
    const entries = Object.entries(properties).map(([name, child]) => [name, this.write(child, level + 1)] as const);
    const isObject = written["type"] === "object" || Array.isArray(written["type"]) || entries.length > 0;
    if (entries.length > 0 || (rule.value === "required" && isObject && written["type"] !== undefined)) {
      written["properties"] = Object.fromEntries(entries);
    }
    const known = required.filter((name) => Object.hasOwn(properties, name));
    if (known.length > 0) written["required"] = [...new Set(known)];
    if (others === undefined) return [];
    if (additionalProperties.value === "schema") {
      written["additionalProperties"] = others === false ? false : this.write(others, level + 1);
      return [];
    }
    return others === false ? [] : [`Other properties: ${JSON.stringify(this.write(others, level + 1))}`];
  }

  #writeArray({ items }: SchemaNode, { types, written }: Omit<Writing, "dropped">, level: number): void {
    if (items !== undefined) written["items"] = this.write(items, level + 1);
    else if (types !== undefined && this.#rules.needsItems.value) written["items"] = this.write(openNode(), level + 1);
  }
}

/** State of the conversion of one schema. */
interface Writing {
  readonly types: readonly TypeName[] | undefined;
  readonly written: JSONObject;
  readonly dropped: Record<string, unknown>;
}

function toValues(values: readonly unknown[]): JSONValue[] {
  return values.map(toJsonValue);
}

function toObject(value: Readonly<Record<string, unknown>>): JSONObject {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJsonValue(entry)]));
}

function distinct(schemas: readonly JSONValue[]): JSONValue[] {
  return Array.from(new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values());
}

function isNull({ types, anyOf }: SchemaNode): boolean {
  return anyOf === undefined && types?.length === 1 && types[0] === "null";
}

/** Returns the alternatives of a union. The first alternative is changed so that it also accepts null. */
function withNull(branches: readonly SchemaNode[]): readonly SchemaNode[] {
  return branches.map((branch, index) =>
    index === 0 && branch.types !== undefined
      ? { ...branch, types: [...new Set([...branch.types, "null" as const])] }
      : branch,
  );
}

function keywordsWithoutTypes(keywords: SchemaNode["keywords"]): SchemaNode["keywords"] {
  return Object.fromEntries(Object.entries(keywords).filter(([key]) => TYPES_OF[key] === undefined));
}

/** Returns the part of a node that applies to one type. */
function ofType(node: SchemaNode, type: TypeName): SchemaNode {
  const keywords = Object.entries(node.keywords).filter(([key]) => TYPES_OF[key]?.includes(type) === true);
  const values = node.values?.filter((value) => hasType([type], typeOfValue(value)));
  return {
    types: [type],
    values: values?.length === 0 ? undefined : values,
    ...(type === "object" ? { properties: node.properties, required: node.required, others: node.others } : {}),
    ...(type === "array" ? { items: node.items } : {}),
    keywords: Object.fromEntries(keywords),
    notes: [],
  };
}

/**
 * Converts any JSON Schema to the subset that an API accepts. Unsupported keywords are omitted or moved to the
 * description, so that the result accepts nearly everything that the original does. Arguments are validated against the
 * original.
 */
export function projectSchema(schema: unknown, rules: SchemaRules): ProjectedSchema {
  const read = readSchema(schema);
  if (read === undefined) return { kind: "refused", problem: "no arguments can match its schema" };
  const root = flattenRoot(read);
  if (root.types !== undefined && !root.types.includes("object")) {
    return { kind: "refused", problem: "the root of its schema is not an object" };
  }
  const { values: _, ...object } = root;
  const written = new SchemaProjection(rules).write({ ...object, types: ["object"] }, 0);
  const size = JSON.stringify(written).length;
  if (size > MAX_CHARS)
    return { kind: "refused", problem: `its schema has ${size} characters; the maximum is ${MAX_CHARS}` };
  return { kind: "projected", schema: written };
}
