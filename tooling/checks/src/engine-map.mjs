// @ts-check

/**
 * One row of docs/reference/engine-map.md: a name of the specification, our names for it, or the reason why there is
 * none.
 * @typedef {{ name: string, ours: string[], remark: string }} MapRow
 */

/**
 * Returns the rows of the map's tables.
 * @param {string} markdown
 * @returns {MapRow[]}
 */
export function readEngineMap(markdown) {
  return markdown.split("\n").flatMap((line) => {
    const [, first = "", here = "", remark = ""] = line.split("|").map((cell) => cell.trim());
    const name = /^`([^`]+)`$/.exec(first)?.[1];
    if (name === undefined) return [];
    return [{ name, ours: Array.from(here.matchAll(/`([^`]+)`/g), ([, found = ""]) => found), remark }];
  });
}

/**
 * Returns the exports of an API report, with the text of each declaration.
 * @param {string} report
 * @returns {Map<string, string>}
 */
export function readExports(report) {
  /** @type {Map<string, string>} */
  const declarations = new Map();
  const code = /```ts\n([\s\S]*?)\n```/.exec(report.replaceAll("\r\n", "\n"))?.[1] ?? "";
  for (const declaration of code.split(/\n(?=\/\/ @)/)) {
    const name = /^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type) (\w+)/m.exec(
      declaration,
    )?.[1];
    if (name !== undefined) declarations.set(name, declaration);
  }
  return declarations;
}

/**
 * Returns whether an export, or a member of one (`Board.setVar`), exists.
 * @param {string} name
 * @param {ReadonlyMap<string, string>} exports
 * @returns {boolean}
 */
function isExported(name, exports) {
  const [owner = "", member] = name.split(".");
  const declaration = exports.get(owner);
  if (declaration === undefined) return false;
  return member === undefined || new RegExp(`^\\s+(?:readonly )?${member}[?(<:]`, "m").test(declaration);
}

/**
 * Returns the problems of the map: names of the specification that are missing, repeated or unknown, rows with neither
 * our name nor a reason, and names of ours that are not exported.
 * @param {{ names: readonly string[], rows: readonly MapRow[], exports: ReadonlyMap<string, string> }} map
 * @returns {string[]}
 */
export function judgeEngineMap({ names, rows, exports }) {
  const known = new Set(names);
  const mapped = new Set(rows.map(({ name }) => name));
  const missing = names.filter((name) => !mapped.has(name)).map((name) => `${name} has no row.`);
  const problems = rows.flatMap(({ name, ours, remark }, index) => {
    if (!known.has(name)) return [`${name} is not a name of the specification.`];
    if (rows.findIndex((row) => row.name === name) !== index) return [`${name} has two rows.`];
    if (ours.length === 0 && remark === "") return [`${name} has neither a name here nor a reason why not.`];
    return ours.filter((found) => !isExported(found, exports)).map((found) => `${name}: ${found} is not exported.`);
  });
  return [...missing, ...problems];
}
