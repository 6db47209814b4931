/// <reference path="./domino.d.ts" />
import { setImmediate as nextTurn } from "node:timers/promises";
import { createIncrementalHTMLParser } from "@mixmark-io/domino";
import type { HtmlDocument } from "./html-document.ts";

/** Maximum time for which parsing blocks the event loop before it pauses, in milliseconds. */
const SLICE_MS = 10;

/**
 * Parses HTML to a document. Scripts are not executed and resources are not loaded. Resolves with `undefined` if
 * parsing exceeds the time limit. Malicious pages could otherwise take minutes, for example with a tag that has a very
 * large number of attributes.
 */
export async function createDocument(html: string, maxMs: number): Promise<HtmlDocument | undefined> {
  const parser = createIncrementalHTMLParser();
  parser.end(html);
  for (let spentMs = 0; spentMs < maxMs; ) {
    const startedMs = performance.now();
    const hasMore = parser.process(() => performance.now() - startedMs > SLICE_MS);
    if (!hasMore) return parser.document();
    spentMs += performance.now() - startedMs;
    await nextTurn();
  }
  return undefined;
}
