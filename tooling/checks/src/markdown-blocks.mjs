// @ts-check

/**
 * A fenced block of a Markdown file. `line` is the 1-based line of its first line of code.
 * @typedef {{ language: string, marks: string[], line: number, code: string }} Block
 */

/**
 * Returns the fenced blocks of a Markdown text, in order.
 * @param {string} text
 * @returns {Block[]}
 */
export function markdownBlocks(text) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {{ fence: string, indent: string, block: Block, code: string[] } | undefined} */
  let open;
  for (const [index, line] of text.split("\n").entries()) {
    const [, indent = "", fence = "", info = ""] = /^(\s*)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      const [language = "", ...marks] = info.trim().split(/\s+/);
      if (fence !== "") open = { fence, indent, block: { language, marks, line: index + 2, code: "" }, code: [] };
    } else if (fence.length >= open.fence.length && info.trim() === "") {
      blocks.push({ ...open.block, code: open.code.join("\n") });
      open = undefined;
    } else {
      open.code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    }
  }
  return blocks;
}

/**
 * Returns the first block that is marked `run`, which the check `pack` runs for the README of each published package.
 * @param {readonly Block[]} blocks
 * @returns {Block | undefined} `undefined` if no block of code is marked `run`
 */
export function firstRunnable(blocks) {
  return blocks.find(({ language, marks }) => ["ts", "sh"].includes(language) && marks.includes("run"));
}
