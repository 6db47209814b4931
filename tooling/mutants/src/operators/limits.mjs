// @ts-check
import { replace, replaceOperator } from "../operator.mjs";
import { nameOf, nodeIn } from "../syntax-tree.mjs";

/** @import { Operator } from "../operator.mjs" */
/** @import { Place, SyntaxNode } from "../syntax-tree.mjs" */

const BOUNDARY = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
]);

/** Names of limits. Times are omitted: no test can distinguish 5 seconds from 50 without waiting. */
const LIMIT = /max|limit|bytes|lines|chars|retries|attempts|rounds|turns|depth|size/i;
const TIME = /ms$|millis|seconds|timeout|grace|interval|delay/i;

/**
 * Returns the name of the variable or property that a number is the value of, also of the table that contains it.
 * @param {Place} place
 * @returns {string}
 */
function nameOfValueAt({ node, ancestors }) {
  /** @type {string[]} */
  const names = [];
  let child = node;
  for (const ancestor of ancestors) {
    if (ancestor.type === "VariableDeclarator") {
      names.push(nameOf(nodeIn(ancestor, "id")) ?? "");
      break;
    }
    if (ancestor.type === "Property" && isChild(ancestor, "value", child)) {
      names.push(nameOf(nodeIn(ancestor, "key")) ?? "");
    } else if (ancestor.type === "AssignmentPattern" && isChild(ancestor, "right", child)) {
      names.push(nameOf(nodeIn(ancestor, "left")) ?? "");
    } else if (
      !["ObjectExpression", "BinaryExpression", "TSAsExpression", "TSSatisfiesExpression"].includes(ancestor.type)
    ) {
      break;
    }
    child = ancestor;
  }
  return names.join(" ");
}

/**
 * @param {SyntaxNode} parent
 * @param {string} property
 * @param {SyntaxNode} child
 * @returns {boolean}
 */
function isChild(parent, property, child) {
  return nodeIn(parent, property) === child;
}

/** @type {readonly Operator[]} */
export const limitOperators = [
  {
    name: "shift-boundary",
    edits({ node }, textOf) {
      const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
      const operator = BOUNDARY.get(String(node["operator"]));
      if (node.type !== "BinaryExpression" || left === undefined || right === undefined) return [];
      if (operator === undefined) return [];
      return replaceOperator([left, right], { from: String(node["operator"]), to: operator, textOf });
    },
  },
  {
    name: "swap-min-max",
    edits({ node }, textOf) {
      const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
      if (callee === undefined || !/^Math\.(?:min|max)$/.test(textOf(callee))) return [];
      return [replace(callee, textOf(callee) === "Math.min" ? "Math.max" : "Math.min")];
    },
  },
  {
    name: "raise-limit",
    edits(place, textOf) {
      const { node } = place;
      if (node.type !== "Literal" || typeof node["value"] !== "number" || /^0./.test(textOf(node))) return [];
      const name = nameOfValueAt(place);
      return LIMIT.test(name) && !TIME.test(name) ? [replace(node, `(${textOf(node)} * 10 + 1)`)] : [];
    },
  },
  {
    name: "drop-one",
    edits({ node }, textOf) {
      const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
      if (node.type !== "BinaryExpression" || left === undefined || right?.["value"] !== 1) return [];
      return node["operator"] === "+" || node["operator"] === "-" ? [replace(node, `(${textOf(left)})`)] : [];
    },
  },
];
