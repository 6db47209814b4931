import type { HtmlNode } from "./html-document.ts";

/** Levels of elements; what works on a tree calls itself once for each. */
const MAX_DEPTH = 400;
/** Lists and quotes within each other: every line is indented once for each. */
const MAX_INDENT = 30;
/** Nodes that are turned into Markdown, which holds the event loop all the while. */
const MAX_NODES = 25_000;

const INDENTED = new Set(["UL", "OL", "BLOCKQUOTE"]);

interface Level {
  readonly depth: number;
  readonly nodes: readonly HtmlNode[];
  readonly indent: number;
}

/** Whether a tree can be turned into Markdown in a time that does not matter; looks at no more of it than that. */
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
