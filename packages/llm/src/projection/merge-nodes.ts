import { hasType, type SchemaNode, type TypeName } from "./schema-node.ts";

function commonTypes(
  left: readonly TypeName[] | undefined,
  right: readonly TypeName[] | undefined,
): readonly TypeName[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const common = [
    ...left.filter((type) => hasType(right, type)),
    ...right.filter((type) => !left.includes(type) && hasType(left, type)),
  ];
  // Without a common type, no value satisfies both schemas, but the API must still accept the merged schema.
  // The types of the first schema are used.
  return common.length > 0 ? common : left;
}

function commonValues(left: SchemaNode["values"], right: SchemaNode["values"]): SchemaNode["values"] {
  if (left === undefined || right === undefined) return left ?? right;
  const known = new Set(right.map((value) => JSON.stringify(value)));
  const common = left.filter((value) => known.has(JSON.stringify(value)));
  return common.length > 0 ? common : left;
}

function allProperties(left: SchemaNode, right: SchemaNode): SchemaNode["properties"] {
  if (left.properties === undefined || right.properties === undefined) return left.properties ?? right.properties;
  const merged = new Map(Object.entries(left.properties));
  for (const [name, node] of Object.entries(right.properties)) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? node : mergeNodes(before, node));
  }
  return Object.fromEntries(merged);
}

/**
 * Returns the schema for additional properties if both schemas agree on it. Otherwise allows any properties, because
 * each schema would reject the properties of the other.
 */
function commonAdditional(left: SchemaNode, right: SchemaNode): SchemaNode["others"] {
  const names = (node: SchemaNode): string =>
    Object.keys(node.properties ?? {})
      .sort()
      .join("\0");
  if (right.properties === undefined && right.others === undefined) return left.others;
  if (left.properties === undefined && left.others === undefined) return right.others;
  if (names(left) !== names(right)) return undefined;
  if (left.others === false || right.others === false) return false;
  return left.others ?? right.others;
}

/** Merges two schemas into one that accepts the values that both accept, or more if that cannot be expressed simply. */
export function mergeNodes(left: SchemaNode, right: SchemaNode): SchemaNode {
  const isUnited = left.anyOf !== undefined && right.anyOf !== undefined;
  const items = left.items !== undefined && right.items !== undefined ? mergeNodes(left.items, right.items) : undefined;
  return {
    types: commonTypes(left.types, right.types),
    values: commonValues(left.values, right.values),
    properties: allProperties(left, right),
    required: [...new Set([...(left.required ?? []), ...(right.required ?? [])])],
    others: commonAdditional(left, right),
    items: items ?? left.items ?? right.items,
    anyOf: left.anyOf ?? right.anyOf,
    keywords: { ...right.keywords, ...left.keywords },
    description: left.description ?? right.description,
    notes: [...left.notes, ...right.notes, ...(isUnited ? ["Further alternatives apply."] : [])],
  };
}
