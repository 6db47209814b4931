// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../repository.mjs";

/**
 * A requirement's id in the title of a test, or in a contract case, whose title is a separate field.
 * @typedef {{ id: string, place: string, title?: string }} Citation
 */

// After a table of cases, which may contain anything, the title is the first argument of the function that the table
// returns.
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\)\(|\b(?:title|name):)\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
const FIELD = /\brequirement:\s*(?:(["'`])([^"'`]*)\1|\[([^\]]*)\])/g;
const ID = /(?<![\w.-])[a-z]+-[\w.-]+-\d+(?![\w-])/g;
const BRACKETS = /\[([a-z]+-[\w.-]+-\d+(?:,\s*[a-z]+-[\w.-]+-\d+)*)\]/g;

/**
 * Returns the ids that a file cites: in titles of tests, `test("… [loop-5.3-1, loop-5.3-2]", …)`, and in contract
 * cases, `requirement: "engine-bus-1"` or `requirement: ["engine-bus-1", "D8"]`. Promises such as D8 are not ids of
 * spec/.
 * @param {string} path
 * @param {string} text
 * @returns {Citation[]}
 */
export function findCitations(path, text) {
  const titled = [...text.matchAll(TITLE)].map(({ 2: title = "", index }) => {
    const ids = [...title.matchAll(BRACKETS)].flatMap(([, list = ""]) => list.split(/,\s*/));
    return { index, ids, title: title.replace(BRACKETS, "").replaceAll("\\", "").trim() };
  });
  const fields = [...text.matchAll(FIELD)].map(({ 2: one = "", 3: several = "", index }) => {
    return { index, ids: [...`${one} ${several}`.matchAll(ID)].map(([id]) => id), title: undefined };
  });
  return [...titled, ...fields]
    .sort((left, right) => left.index - right.index)
    .flatMap(({ index, ids, title }) => {
      const place = `${path}:${text.slice(0, index).split("\n").length}`;
      return ids.map((id) => ({ id, place, ...(title === undefined ? {} : { title }) }));
    });
}

/**
 * Returns every citation in the sources and tests of packages and apps.
 * @param {string} root
 * @returns {Citation[]}
 */
export function citationsBelow(root) {
  return ["packages", "apps"].flatMap((parent) =>
    filesBelow(join(root, parent), isCiting).flatMap((path) =>
      findCitations(`${parent}/${path}`, readFileSync(join(root, parent, path), "utf8")),
    ),
  );
}

/** @param {string} path */
function isCiting(path) {
  return /^[^/]+\/(src|test)\/.*\.ts$/.test(path);
}
