import { mergeNodes } from "./merge-nodes.ts";
import { openNode, type SchemaNode } from "./schema-node.ts";

/**
 * Maximum number of schema alternatives that are described in text for the model. If there are more, none is described.
 */
const MAX_LISTED = 8;

/** Returns the union of several schemas. */
function oneOf(nodes: readonly SchemaNode[]): SchemaNode {
  const different = Array.from(new Map(nodes.map((node) => [JSON.stringify(node), node])).values());
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { ...openNode(), anyOf: different };
}

function unitedProperties(branches: readonly SchemaNode[]): SchemaNode["properties"] {
  const found = new Map<string, SchemaNode[]>();
  for (const { properties = {} } of branches) {
    for (const [name, node] of Object.entries(properties)) found.set(name, [...(found.get(name) ?? []), node]);
  }
  return Object.fromEntries(Array.from(found, ([name, nodes]) => [name, oneOf(nodes)]));
}

/** Describes in text which properties of the alternatives belong together. */
function describeAlternatives(branches: readonly SchemaNode[], common: readonly string[]): readonly string[] {
  const requirements = branches.map(({ required = [] }) =>
    required.filter((name) => !common.includes(name)).join(" and "),
  );
  if (requirements.length > MAX_LISTED || requirements.every((names) => names === "")) return [];
  return [`Needs one of these: ${requirements.map((names) => (names === "" ? "nothing else" : names)).join("; ")}.`];
}

/**
 * Merges alternatives at the root of an object schema, because no API accepts alternatives there. The result has the
 * properties of all alternatives, and requires only properties that every alternative requires.
 */
export function flattenRoot(node: SchemaNode): SchemaNode {
  const { anyOf, ...base } = node;
  if (anyOf === undefined) return node;
  const objects = anyOf.filter(({ types }) => types === undefined || types.includes("object")).map(flattenRoot);
  const branches = objects.map((branch) => mergeNodes(base, branch));
  const [first] = branches;
  if (first === undefined) return base;
  const required = (first.required ?? []).filter((name) => branches.every((branch) => branch.required?.includes(name)));
  return {
    ...base,
    types: ["object"],
    properties: unitedProperties(branches),
    required,
    others: branches.every(({ others }) => others === false) ? false : undefined,
    notes: [...base.notes, ...describeAlternatives(branches, required)],
  };
}
