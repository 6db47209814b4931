/// <reference path="./domino.d.ts" />
import { setImmediate as nextTurn } from "node:timers/promises";
import { createIncrementalHTMLParser } from "@mixmark-io/domino";
import type { HtmlDocument } from "./html-document.ts";

/** Longest time that the event loop is held, in milliseconds. */
const SLICE_MS = 10;

/**
 * A document of HTML text; nothing in it runs, and nothing is loaded. Nothing when parsing it takes more time than
 * that: some pages are made to take minutes, by a tag of very many attributes for one.
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
