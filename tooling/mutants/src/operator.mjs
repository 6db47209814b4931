// @ts-check
/** @import { Place, SyntaxNode } from "./syntax-tree.mjs" */

/** A change of a text: the characters from `start` to `end` are replaced. @typedef {{ start: number, end: number, text: string }} Edit */

/**
 * Source text around a node.
 * @callback TextOf
 * @param {SyntaxNode} node
 * @returns {string}
 */

/**
 * One kind of change. `edits` returns the changes that it can make at a node.
 * @typedef {{ name: string, edits(place: Place, textOf: TextOf): Edit[] }} Operator
 */

/**
 * Returns the change that replaces a node.
 * @param {SyntaxNode} node
 * @param {string} text
 * @returns {Edit}
 */
export function replace(node, text) {
  return { start: node.start, end: node.end, text };
}

/**
 * Returns the change that exchanges two nodes, the first of which is earlier in the text.
 * @param {readonly [SyntaxNode, SyntaxNode]} nodes
 * @param {string} between text between them
 * @param {TextOf} textOf
 * @returns {Edit}
 */
export function exchange([first, second], between, textOf) {
  return { start: first.start, end: second.end, text: `${textOf(second)}${between}${textOf(first)}` };
}

/**
 * Returns the change of the operator between two operands. Parentheses around operands belong to no node and stay.
 * @param {readonly [SyntaxNode, SyntaxNode]} operands
 * @param {{ from: string, to: string, textOf: TextOf }} change
 * @returns {Edit[]}
 */
export function replaceOperator([left, right], { from, to, textOf }) {
  const between = textOf({ type: "", start: left.end, end: right.start });
  const start = left.end + between.indexOf(from);
  return start < left.end ? [] : [{ start, end: start + from.length, text: to }];
}
