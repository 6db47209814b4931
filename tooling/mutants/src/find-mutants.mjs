// @ts-check
import { createHash } from "node:crypto";
import { OPERATORS } from "./operators.mjs";
import { parse, placesIn } from "./syntax-tree.mjs";

/** @import { Edit } from "./operator.mjs" */

/**
 * One change of one file.
 * @typedef {object} Mutant
 * @property {string} id the same as long as the changed code and its line stay the same
 * @property {string} file relative to the repository
 * @property {number} line
 * @property {string} kind
 * @property {string} operator
 * @property {Edit} edit
 */

/**
 * Returns every change that the operators can make in a file.
 * @param {string} file relative to the repository
 * @param {string} text
 * @returns {Mutant[]}
 */
export function findMutants(file, text) {
  const tree = parse(text);
  if (tree === undefined) throw new Error(`${file} cannot be parsed.`);
  const places = placesIn(tree);
  /** @type {Map<string, number>} */
  const seen = new Map();
  const lines = lineStarts(text);
  return Object.entries(OPERATORS).flatMap(([kind, operators]) =>
    operators.flatMap(({ name, edits }) =>
      places
        .flatMap((place) => edits(place, (node) => text.slice(node.start, node.end)))
        .map((edit) => {
          const line = lines.findLastIndex((start) => start <= edit.start) + 1;
          const digest = digestOf([name, linesOf(text, edit), text.slice(edit.start, edit.end), edit.text]);
          const count = (seen.get(digest) ?? 0) + 1;
          seen.set(digest, count);
          const id = `${file}#${name}-${digest}${count === 1 ? "" : `-${count}`}`;
          return { id, file, line, kind, operator: name, edit };
        }),
    ),
  );
}

/**
 * Returns a text with a change applied.
 * @param {string} text
 * @param {Edit} edit
 * @returns {string}
 */
export function applyEdit(text, { start, end, text: replacement }) {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

/**
 * Returns the lines that a change removes and adds, as a diff.
 * @param {string} text
 * @param {Edit} edit
 * @returns {string[]}
 */
export function renderDiff(text, edit) {
  const start = text.lastIndexOf("\n", edit.start - 1) + 1;
  const mutated = applyEdit(text, edit);
  const before = text.slice(start, lineEnd(text, edit.end));
  const after = mutated.slice(start, lineEnd(mutated, edit.start + edit.text.length));
  return [...before.split("\n").map((line) => `- ${line}`), ...after.split("\n").map((line) => `+ ${line}`)];
}

/**
 * @param {string} text
 * @param {Edit} edit
 * @returns {string}
 */
function linesOf(text, edit) {
  return text.slice(text.lastIndexOf("\n", edit.start - 1) + 1, lineEnd(text, edit.end)).trim();
}

/**
 * @param {string} text
 * @param {number} offset
 * @returns {number}
 */
function lineEnd(text, offset) {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}

/**
 * @param {string} text
 * @returns {number[]}
 */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * @param {readonly string[]} parts
 * @returns {string}
 */
function digestOf(parts) {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 8);
}
