// @ts-check
import { parseAst } from "rolldown/parseAst";

/**
 * A node of the ESTree syntax tree of a TypeScript file. `start` and `end` are offsets in its text.
 * @typedef {{ type: string, start: number, end: number, [property: string]: unknown }} SyntaxNode
 */

/**
 * A node and the nodes that contain it, the innermost first.
 * @typedef {{ node: SyntaxNode, ancestors: readonly SyntaxNode[] }} Place
 */

/** TypeScript nodes that contain code which runs. All others are types. */
const RUNNING = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSParameterProperty"]);

/**
 * Parses a TypeScript file. `undefined` if the text is not valid.
 * @param {string} text
 * @returns {SyntaxNode | undefined}
 */
export function parse(text) {
  try {
    return asNode(parseAst(text, { lang: "ts" }));
  } catch {
    return undefined;
  }
}

/**
 * Returns all nodes that run, without types and imports, in the order of the text.
 * @param {SyntaxNode} root
 * @returns {Place[]}
 */
export function placesIn(root) {
  /** @type {Place[]} */
  const places = [];
  /** @type {(node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void} */
  const visit = (node, ancestors) => {
    if (isIgnored(node)) return;
    places.push({ node, ancestors });
    for (const child of childrenOf(node)) visit(child, [node, ...ancestors]);
  };
  visit(root, []);
  return places;
}

/**
 * Returns a property of a node that is a node itself.
 * @param {SyntaxNode | undefined} node
 * @param {string} property
 * @returns {SyntaxNode | undefined}
 */
export function nodeIn(node, property) {
  return asNode(node?.[property]);
}

/**
 * Returns a property of a node that is a list of nodes.
 * @param {SyntaxNode | undefined} node
 * @param {string} property
 * @returns {SyntaxNode[]}
 */
export function nodesIn(node, property) {
  const list = node?.[property];
  return Array.isArray(list) ? list.flatMap((item) => asNode(item) ?? []) : [];
}

/**
 * Returns the last part of a name: `b` of `a.b`. `undefined` if the node is not a name.
 * @param {SyntaxNode | undefined} node
 * @returns {string | undefined}
 */
export function nameOf(node) {
  if (node?.type === "Identifier" || node?.type === "PrivateIdentifier") return String(node["name"]);
  if (node?.type === "MemberExpression" && node["computed"] !== true) return nameOf(nodeIn(node, "property"));
  if (node?.type === "ChainExpression") return nameOf(nodeIn(node, "expression"));
  return undefined;
}

/**
 * Returns the call that an expression consists of, without `await` and `void`.
 * @param {SyntaxNode | undefined} node
 * @returns {SyntaxNode | undefined}
 */
export function callIn(node) {
  if (node?.type === "CallExpression") return node;
  if (node?.type === "AwaitExpression" || node?.type === "UnaryExpression") return callIn(nodeIn(node, "argument"));
  if (node?.type === "ChainExpression") return callIn(nodeIn(node, "expression"));
  return undefined;
}

/**
 * @param {SyntaxNode} node
 * @returns {boolean}
 */
function isIgnored(node) {
  if (node["declare"] === true) return true;
  if (node.type.startsWith("TS")) return !RUNNING.has(node.type);
  return node.type.startsWith("Import") && node.type !== "ImportExpression";
}

/**
 * @param {SyntaxNode} node
 * @returns {SyntaxNode[]}
 */
function childrenOf(node) {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => asNode(value) ?? [])
    .sort((one, other) => one.start - other.start);
}

/**
 * @param {unknown} value
 * @returns {SyntaxNode | undefined}
 */
function asNode(value) {
  const isNode = typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
  return isNode ? /** @type {SyntaxNode} */ (value) : undefined;
}
