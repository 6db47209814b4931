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
        .filter((pair) => pair.some(({ type }) => type === "SpreadElement"))
        .map((pair) => /** @type {Edit} */ (exchange(pair, ", ", textOf)));
    },
  },
];
