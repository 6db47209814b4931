// @ts-check
import { replace, replaceOperator } from "../operator.mjs";
import { nodeIn } from "../syntax-tree.mjs";

/** @import { Operator } from "../operator.mjs" */
/** @import { Place, SyntaxNode } from "../syntax-tree.mjs" */

const EQUALITY = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["==", "!="],
  ["!=", "=="],
]);

/**
 * Returns the condition of an `if` or of `a ? b : c`.
 * @param {Place} place
 * @returns {SyntaxNode | undefined}
 */
function conditionAt({ node }) {
  const isBranch = node.type === "IfStatement" || node.type === "ConditionalExpression";
  return isBranch ? nodeIn(node, "test") : undefined;
}

/** @type {readonly Operator[]} */
export const conditionOperators = [
  {
    name: "negate-condition",
    edits(place, textOf) {
      const test = conditionAt(place);
      return test === undefined ? [] : [replace(test, `!(${textOf(test)})`)];
    },
  },
  {
    name: "fix-condition",
    edits(place, textOf) {
      const test = conditionAt(place);
      if (test === undefined) return [];
      // The condition still runs, because it may have effects.
      return [replace(test, `((${textOf(test)}), true)`), replace(test, `((${textOf(test)}), false)`)];
    },
  },
  {
    name: "swap-logical",
    edits({ node }, textOf) {
      const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
      if (node.type !== "LogicalExpression" || left === undefined || right === undefined) return [];
      if (node["operator"] === "??") return [];
      const operator = node["operator"] === "&&" ? "||" : "&&";
      return [replace(node, `((${textOf(left)}) ${operator} (${textOf(right)}))`)];
    },
  },
  {
    name: "swap-equality",
    edits({ node }, textOf) {
      const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
      const operator = EQUALITY.get(String(node["operator"]));
      if (node.type !== "BinaryExpression" || left === undefined || right === undefined) return [];
      if (operator === undefined) return [];
      return replaceOperator([left, right], { from: String(node["operator"]), to: operator, textOf });
    },
  },
];
