import type { Token, Tokens } from "marked";
import { isMarkedToken } from "./parse-markdown.ts";
import { endsWithGap } from "./render-blocks.ts";

/**
 * Returns the complete blocks of an unfinished text. A block is complete if later lines cannot change it. In a list,
 * all items except the last are complete.
 */
export function completeTokens(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findLastIndex(({ type }) => type !== "space");
  const last = tokens[at];
  if (last === undefined || isComplete(last, tokens[at + 1])) return tokens;
  const before = tokens.slice(0, at);
  const items = isMarkedToken(last) && last.type === "list" ? completeItems(last) : undefined;
  return items === undefined ? before : [...before, items];
}

function isComplete(token: Token, next: Token | undefined): boolean {
  if (token.type === "heading" || token.type === "hr") return true;
  // An empty line does not end a list, indented code or HTML, so later lines may still belong to the block.
  if (token.type === "list" || token.type === "code" || token.type === "html") return false;
  return next !== undefined || endsWithGap(token);
}

function completeItems(list: Tokens.List): Tokens.List | undefined {
  const items = list.items.slice(0, -1);
  const raw = items.map((item) => item.raw).join("");
  return items.length > 0 && list.raw.startsWith(raw) ? { ...list, items, raw } : undefined;
}
