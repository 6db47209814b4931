// @ts-check

/**
 * A requirement's id in the title of a test, or in the field of a contract case.
 * @typedef {{ id: string, place: string }} Citation
 */

const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(|\b(?:title|name):)\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
const FIELD = /\brequirement:\s*(?:(["'`])([^"'`]*)\1|\[([^\]]*)\])/g;
const ID = /(?<![\w.-])[a-z]+-[\w.-]+-\d+(?![\w-])/g;
const BRACKETS = /\[([a-z]+-[\w.-]+-\d+(?:,\s*[a-z]+-[\w.-]+-\d+)*)\]/g;

/**
 * The ids that a file cites: in titles of tests, `test("… [loop-5.3-1, loop-5.3-2]", …)`, and in contract cases,
 * `requirement: "engine-bus-1"` or `requirement: ["engine-bus-1", "D8"]`, where promises are no ids of spec/.
 * @param {string} path
 * @param {string} text
 * @returns {Citation[]}
 */
export function findCitations(path, text) {
  const titled = [...text.matchAll(TITLE)].map(({ 2: title = "", index }) => {
    return { index, ids: [...title.matchAll(BRACKETS)].flatMap(([, list = ""]) => list.split(/,\s*/)) };
  });
  const fields = [...text.matchAll(FIELD)].map(({ 2: one = "", 3: several = "", index }) => {
    return { index, ids: [...`${one} ${several}`.matchAll(ID)].map(([id]) => id) };
  });
  return [...titled, ...fields]
    .sort((left, right) => left.index - right.index)
    .flatMap(({ index, ids }) => {
      const place = `${path}:${text.slice(0, index).split("\n").length}`;
      return ids.map((id) => ({ id, place }));
    });
}
