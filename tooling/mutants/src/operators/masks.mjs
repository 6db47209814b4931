// @ts-check
import { replace } from "../operator.mjs";
import { nameOf, nodeIn, nodesIn } from "../syntax-tree.mjs";

/** @import { Operator } from "../operator.mjs" */

/** Functions that make a value safe to show, to store or to use: they redact, escape, confine or limit it. */
const MASKING =
  /^(?:mask|redact|scrub|saniti[sz]e|escape|confine|neutrali[sz]e|strip|truncate|quote|unquote)|(?:masked|redacted)$/i;

/** @type {readonly Operator[]} */
export const maskOperators = [
  {
    name: "drop-mask",
    edits({ node }, textOf) {
      const name = node.type === "CallExpression" ? nameOf(nodeIn(node, "callee")) : undefined;
      const [value] = nodesIn(node, "arguments");
      if (name === undefined || value === undefined || !MASKING.test(name)) return [];
      return value.type === "SpreadElement" ? [] : [replace(node, `(${textOf(value)})`)];
    },
  },
  {
    name: "open-file-mode",
    edits({ node }, textOf) {
      if (node.type !== "Literal") return [];
      if (textOf(node) === "0o600") return [replace(node, "0o644")];
      return textOf(node) === "0o700" ? [replace(node, "0o755")] : [];
    },
  },
];
