// @ts-check
import { replace } from "../operator.mjs";
import { callIn, nameOf, nodeIn, nodesIn } from "../syntax-tree.mjs";

/** @import { Operator } from "../operator.mjs" */
/** @import { SyntaxNode } from "../syntax-tree.mjs" */

const OTHER_SIGNAL = new Map([
  ["SIGTERM", "SIGKILL"],
  ["SIGKILL", "SIGTERM"],
  ["SIGINT", "SIGTERM"],
  ["SIGHUP", "SIGTERM"],
]);

/**
 * Returns whether a call aborts something, or reacts to it.
 * @param {SyntaxNode} call
 * @returns {boolean}
 */
export function isAbortCall(call) {
  const name = nameOf(nodeIn(call, "callee")) ?? "";
  if (/^(?:abort|throwIfAborted|kill|terminate)$/.test(name)) return true;
  const [event] = nodesIn(call, "arguments");
  return /^(?:add|remove)EventListener$/.test(name) && event?.["value"] === "abort";
}

/** @type {readonly Operator[]} */
export const signalOperators = [
  {
    name: "swap-signal",
    edits({ node }) {
      const other = node.type === "Literal" ? OTHER_SIGNAL.get(String(node["value"])) : undefined;
      return other === undefined ? [] : [replace(node, JSON.stringify(other))];
    },
  },
  {
    name: "drop-signal",
    edits({ node }) {
      // `{ signal }` and `{ signal: … }` as an argument or a value.
      if (node.type !== "ObjectExpression") return [];
      return nodesIn(node, "properties")
        .filter((property) => nameOf(nodeIn(property, "key")) === "signal")
        .map((property) => replace(property, "...{}"));
    },
  },
  {
    name: "ignore-abort",
    edits({ node, ancestors }) {
      const isRead = node.type === "MemberExpression" && nameOf(node) === "aborted";
      return isRead && ancestors[0]?.type !== "AssignmentExpression" ? [replace(node, "false")] : [];
    },
  },
  {
    name: "drop-abort",
    edits({ node }) {
      const call = node.type === "ExpressionStatement" ? callIn(nodeIn(node, "expression")) : undefined;
      return call !== undefined && isAbortCall(call) ? [replace(node, ";")] : [];
    },
  },
  {
    name: "drop-joined-signal",
    edits({ node }, textOf) {
      const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
      if (callee === undefined || textOf(callee) !== "AbortSignal.any") return [];
      const [list] = nodesIn(node, "arguments");
      return list?.type === "ArrayExpression"
        ? nodesIn(list, "elements").map((signal) => replace(signal, "...[]"))
        : [];
    },
  },
];
