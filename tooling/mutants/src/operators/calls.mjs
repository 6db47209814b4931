// @ts-check
import { replace } from "../operator.mjs";
import { callIn, nodeIn } from "../syntax-tree.mjs";
import { isAbortCall } from "./signals.mjs";

/** @import { Operator } from "../operator.mjs" */

/** @type {readonly Operator[]} */
export const callOperators = [
  {
    name: "drop-call",
    edits({ node }) {
      if (node.type !== "ExpressionStatement") return [];
      const call = callIn(nodeIn(node, "expression"));
      if (call === undefined || isAbortCall(call) || nodeIn(call, "callee")?.type === "Super") return [];
      return [replace(node, ";")];
    },
  },
  {
    name: "drop-conditional-call",
    edits({ node, ancestors }) {
      // `a && run()` and `a ?? run()` as statements.
      if (node.type !== "LogicalExpression" || ancestors[0]?.type !== "ExpressionStatement") return [];
      return [replace(node, "0")];
    },
  },
];
