// @ts-check
import { exchange, replace } from "../operator.mjs";
import { callIn, nameOf, nodeIn, nodesIn } from "../syntax-tree.mjs";

/** @import { Edit, Operator } from "../operator.mjs" */
/** @import { SyntaxNode } from "../syntax-tree.mjs" */

const OPPOSITE_END = new Map([
  ["push", "unshift"],
  ["unshift", "push"],
  ["shift", "pop"],
  ["pop", "shift"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["indexOf", "lastIndexOf"],
  ["lastIndexOf", "indexOf"],
]);

const SORTING = new Set(["sort", "toSorted", "reverse", "toReversed"]);

/**
 * Returns the method that a call calls.
 * @param {SyntaxNode} node
 * @returns {SyntaxNode | undefined}
 */
function methodOf(node) {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
  return callee?.type === "MemberExpression" && callee["computed"] !== true ? callee : undefined;
}

/**
 * Returns each item and the item after it.
 * @param {readonly SyntaxNode[]} items
 * @returns {[SyntaxNode, SyntaxNode][]}
 */
function neighbours(items) {
  return items.slice(1).flatMap((item, index) => {
    const before = items[index];
    return before === undefined ? [] : [/** @type {[SyntaxNode, SyntaxNode]} */ ([before, item])];
  });
}

/**
 * Returns whether a statement is a call and nothing else.
 * @param {SyntaxNode} node
 * @returns {boolean}
 */
function isCall(node) {
  return node.type === "ExpressionStatement" && callIn(nodeIn(node, "expression")) !== undefined;
}

/**
 * Returns the keys that a part of an object literal sets; `undefined` if they cannot be determined from the text.
 * @param {SyntaxNode | undefined} node
 * @returns {readonly string[] | undefined}
 */
function keysOf(node) {
  switch (node?.type) {
    case "Property":
      return node["computed"] === true ? undefined : [keyOf(node)];
    case "SpreadElement":
      return keysOf(nodeIn(node, "argument"));
    case "ConditionalExpression":
      return allKeys([nodeIn(node, "consequent"), nodeIn(node, "alternate")]);
    case "ObjectExpression":
      return allKeys(nodesIn(node, "properties"));
    default:
      return undefined;
  }
}

/**
 * @param {readonly (SyntaxNode | undefined)[]} nodes
 * @returns {readonly string[] | undefined}
 */
function allKeys(nodes) {
  const keys = nodes.map(keysOf);
  return keys.includes(undefined) ? undefined : keys.flatMap((some) => some ?? []);
}

/**
 * @param {SyntaxNode} property
 * @returns {string}
 */
function keyOf(property) {
  const key = nodeIn(property, "key");
  return nameOf(key) ?? String(key?.["value"]);
}

/**
 * Returns whether the order of two parts of an object literal can matter: it does not if they set different keys.
 * @param {readonly [SyntaxNode, SyntaxNode]} pair
 * @returns {boolean}
 */
function canOverlap([one, other]) {
  const [keys, others] = [keysOf(one), keysOf(other)];
  return keys === undefined || others === undefined || keys.some((key) => others.includes(key));
}

/** @type {readonly Operator[]} */
export const orderOperators = [
  {
    name: "swap-statements",
    edits({ node }, textOf) {
      const statements = node.type === "SwitchCase" ? nodesIn(node, "consequent") : nodesIn(node, "body");
      return neighbours(statements)
        .filter((pair) => pair.every(isCall))
        .map((pair) => exchange(pair, "\n", textOf));
    },
  },
  {
    name: "other-end",
    edits({ node }) {
      const property = nodeIn(methodOf(node), "property");
      const opposite = OPPOSITE_END.get(nameOf(property) ?? "");
      return property === undefined || opposite === undefined ? [] : [replace(property, opposite)];
    },
  },
  {
    name: "drop-sort",
    edits({ node }, textOf) {
      const method = methodOf(node);
      const object = nodeIn(method, "object");
      if (object === undefined || !SORTING.has(nameOf(nodeIn(method, "property")) ?? "")) return [];
      return [replace(node, `(${textOf(object)})`)];
    },
  },
  {
    name: "swap-spread",
    edits({ node }, textOf) {
      const isList = node.type === "ArrayExpression";
      if (!isList && node.type !== "ObjectExpression") return [];
      return neighbours(nodesIn(node, isList ? "elements" : "properties"))
        .filter((pair) => pair.some(({ type }) => type === "SpreadElement") && (isList || canOverlap(pair)))
        .map((pair) => /** @type {Edit} */ (exchange(pair, ", ", textOf)));
    },
  },
];
