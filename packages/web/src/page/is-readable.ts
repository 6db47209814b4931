import type { HtmlNode } from "./html-document.ts";

/**
 * Maximum nesting depth of elements. Conversion to Markdown is recursive, so a deeper document could overflow the
 * stack.
 */
const MAX_DEPTH = 400;
/** Maximum nesting depth of lists and quotes. Each level indents every line, so the output would grow too large. */
const MAX_INDENT = 30;
/**
 * Maximum number of nodes of a page that is converted to Markdown. The number is limited, because conversion blocks the
 * event loop.
 */
const MAX_NODES = 25_000;

const INDENTED = new Set(["UL", "OL", "BLOCKQUOTE"]);

interface Level {
  readonly depth: number;
  readonly nodes: readonly HtmlNode[];
  readonly indent: number;
}

/**
 * Returns whether a document can be converted to Markdown in negligible time. Stops counting at the maximum number of
 * nodes.
 */
export function isReadable(root: HtmlNode): boolean {
  const waiting: Level[] = [{ nodes: [root], indent: 0, depth: 0 }];
  let count = 0;
  for (let level = waiting.pop(); level !== undefined; level = waiting.pop()) {
    count += level.nodes.length;
    if (count > MAX_NODES || level.depth > MAX_DEPTH) return false;
    for (const node of level.nodes) {
      const indent = level.indent + (INDENTED.has(node.nodeName) ? 1 : 0);
      if (indent > MAX_INDENT) return false;
      const nodes = Array.from(node.childNodes);
      if (nodes.length > 0) waiting.push({ nodes, indent, depth: level.depth + 1 });
    }
  }
  return true;
}
