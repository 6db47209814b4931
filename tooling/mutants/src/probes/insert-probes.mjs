// @ts-check
import { nodeIn, nodesIn, parse, placesIn } from "../syntax-tree.mjs";

/** @import { SyntaxNode } from "../syntax-tree.mjs" */

/** Code that runs as a whole or not at all, unless it throws or returns. @typedef {{ start: number, end: number }} Block */

/**
 * A block, and the insertions by which it reports that it runs. @typedef {Block & { inserts: [number, string][] }}
 * Probed
 */

const BRANCHES = ["consequent", "alternate", "body"];

/**
 * Returns the blocks of a file: block 0 is the file itself.
 * @param {string} text
 * @returns {Block[]}
 */
export function blocksIn(text) {
  return probedBlocks(text, () => "").map(({ start, end }) => ({ start, end }));
}

/**
 * Returns a file whose blocks report when they run. Lines keep their numbers.
 * @param {string} text
 * @param {string} file name under which it reports
 * @returns {string}
 */
export function insertProbes(text, file) {
  const open = `(__probes ??= globalThis.__switchyardProbes?.(${JSON.stringify(file)}) ?? {})`;
  const inserts = probedBlocks(text, (index) => `${open}[${index}] = 1`).flatMap((block) => block.inserts);
  let probed = "";
  let at = 0;
  for (const [offset, insert] of inserts.sort(([one], [other]) => one - other)) {
    probed += text.slice(at, offset) + insert;
    at = offset;
  }
  // A `var` may follow its uses, and the first line may have to stay first.
  return `${probed}${text.slice(at)}\nvar __probes;`;
}

/**
 * Returns the innermost block at an offset.
 * @param {readonly Block[]} blocks
 * @param {number} offset
 * @returns {number}
 */
export function blockAt(blocks, offset) {
  let found = 0;
  for (const [index, { start, end }] of blocks.entries()) {
    const inner = blocks[found];
    const isInside = start <= offset && offset < end;
    if (isInside && inner !== undefined && end - start <= inner.end - inner.start) found = index;
  }
  return found;
}

/**
 * @param {string} text
 * @param {(index: number) => string} probe
 * @returns {Probed[]}
 */
function probedBlocks(text, probe) {
  const tree = parse(text);
  if (tree === undefined) return [];
  /** @type {Probed[]} */
  const blocks = [{ start: 0, end: text.length + 1, inserts: [[text.length, `\n;${probe(0)};`]] }];
  for (const { node } of placesIn(tree)) {
    for (const insertsAt of [blockInserts(node), ...caseInserts(node), ...branchInserts(node)]) {
      if (insertsAt === undefined) continue;
      const { start, end, inserts } = insertsAt(probe(blocks.length));
      blocks.push({ start, end, inserts });
    }
  }
  return blocks;
}

/** @typedef {(probe: string) => Probed} Insertion */

/**
 * @param {SyntaxNode} node
 * @returns {Insertion | undefined}
 */
function blockInserts(node) {
  if (node.type !== "BlockStatement") return undefined;
  const directives = nodesIn(node, "body").filter((statement) => typeof statement["directive"] === "string");
  const at = directives.at(-1)?.end ?? node.start + 1;
  return (probe) => ({ start: node.start, end: node.end, inserts: [[at, `${probe};`]] });
}

/**
 * @param {SyntaxNode} node
 * @returns {Insertion[]}
 */
function caseInserts(node) {
  const [first] = node.type === "SwitchCase" ? nodesIn(node, "consequent") : [];
  if (first === undefined || first.type === "BlockStatement") return [];
  return [(probe) => ({ start: first.start, end: node.end, inserts: [[first.start, `${probe};`]] })];
}

/**
 * @param {SyntaxNode} node
 * @returns {Insertion[]}
 */
function branchInserts(node) {
  if (node.type === "ArrowFunctionExpression") {
    const body = nodeIn(node, "body");
    if (body === undefined || body.type === "BlockStatement") return [];
    return [(/** @type {string} */ probe) => wrap(body, [`(${probe}, `, ")"])];
  }
  if (!/^(?:If|For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)) return [];
  return BRANCHES.flatMap((name) => {
    const branch = nodeIn(node, name);
    if (branch === undefined || branch.type === "BlockStatement" || branch.type === "EmptyStatement") return [];
    return [(/** @type {string} */ probe) => wrap(branch, [`{${probe};`, "}"])];
  });
}

/**
 * @param {SyntaxNode} node
 * @param {readonly [string, string]} around
 * @returns {Probed}
 */
function wrap({ start, end }, [before, after]) {
  return {
    start,
    end,
    inserts: [
      [start, before],
      [end, after],
    ],
  };
}
