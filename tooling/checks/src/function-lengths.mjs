// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { filesBelow } from "./repository.mjs";

/** A function and its number of lines, from its first to its last. @typedef {{ name: string, path: string, line: number, lines: number }} FunctionLength */

/** A node of the ESTree syntax tree. @typedef {{ type: string, start: number, end: number, [property: string]: unknown }} SyntaxNode */

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Tests are not counted: the callback of `describe` contains all tests of a group. */
const SOURCE = /^(?!(.*\/)?test\/).*(?<!\.test|\.test-d|\.d)\.(ts|tsx|mjs)$/;

/**
 * Returns the lengths of all functions below packages/, apps/ and tooling/, the longest first. Every line counts: blank
 * lines, comments and the lines of nested functions.
 * @param {string} root root folder of the repository
 * @returns {FunctionLength[]}
 */
export function functionLengths(root) {
  const paths = ["packages", "apps", "tooling"].flatMap((parent) =>
    filesBelow(join(root, parent), (path) => SOURCE.test(path)).map((path) => `${parent}/${path}`),
  );
  const functions = paths.flatMap((path) => functionsIn(path, readFileSync(join(root, path), "utf8")));
  return functions.sort((one, other) => other.lines - one.lines);
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {FunctionLength[]}
 */
function functionsIn(path, text) {
  /** @type {FunctionLength[]} */
  const functions = [];
  /** @type {(value: unknown, name: string) => void} */
  const visit = (value, name) => {
    if (Array.isArray(value)) for (const item of value) visit(item, name);
    if (!isNode(value)) return;
    const ownName = nameOf(value) ?? name;
    if (FUNCTIONS.has(value.type)) {
      const line = linesOf(text.slice(0, value.start));
      functions.push({ name: ownName, path, line, lines: linesOf(text.slice(value.start, value.end)) });
    }
    for (const child of Object.values(value)) visit(child, ownName);
  };
  visit(parseAst(text, { lang: languageOf(path) }), "(anonymous)");
  return functions;
}

/**
 * Returns the name that a node gives to the function in it.
 * @param {SyntaxNode} node
 * @returns {string | undefined}
 */
function nameOf({ id, key }) {
  const identifier = isNode(id) ? id : key;
  return isNode(identifier) && typeof identifier["name"] === "string" ? identifier["name"] : undefined;
}

/**
 * @param {string} path
 * @returns {"js" | "ts" | "tsx"}
 */
function languageOf(path) {
  if (path.endsWith(".tsx")) return "tsx";
  return path.endsWith(".ts") ? "ts" : "js";
}

/**
 * @param {string} text
 * @returns {number}
 */
function linesOf(text) {
  return text.split("\n").length;
}

/**
 * @param {unknown} value
 * @returns {value is SyntaxNode}
 */
function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}
