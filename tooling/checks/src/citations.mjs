// @ts-check

/**
 * A requirement's id in the title of a test or of a contract case.
 * @typedef {{ id: string, place: string }} Citation
 */

const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(|\b(?:title|name):)\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
const BRACKETS = /\[([a-z]+-[\w.-]+-\d+(?:,\s*[a-z]+-[\w.-]+-\d+)*)\]/g;

/**
 * The ids that a file's test and case titles cite: `test("… [loop-5.3-1, loop-5.3-2]", …)`.
 * @param {string} path
 * @param {string} text
 * @returns {Citation[]}
 */
export function findCitations(path, text) {
  return [...text.matchAll(TITLE)].flatMap(({ 2: title = "", index }) => {
    const place = `${path}:${text.slice(0, index).split("\n").length}`;
    const ids = [...title.matchAll(BRACKETS)].flatMap(([, list = ""]) => list.split(/,\s*/));
    return ids.map((id) => ({ id, place }));
  });
}
