import { EngineError, type WebFetcher, type WebFetchOptions, type WebPage } from "@switchyard/contracts";
import { type GuardedFetchOptions, type GuardedResponse, guardedFetch } from "./fetch/guarded-fetch.ts";
import { decodePage } from "./page/decode-page.ts";
import { readPage } from "./page/read-page.ts";

const ACCEPT = "text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5";

/** Options of a page fetcher. */
export type WebFetcherOptions = Omit<GuardedFetchOptions, "signal" | "accept" | "whenTooLarge">;

/** Returns the MIME type without parameters. An absent type counts as binary. */
function mediaTypeOf(contentType: string): string {
  const [type = ""] = contentType.split(";");
  return type.trim().toLowerCase() || "application/octet-stream";
}

function isHtml(mediaType: string): boolean {
  return mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    isHtml(mediaType) ||
    /^application\/(?:.+\+)?(?:json|xml|yaml|javascript|ecmascript|x-ndjson|toml)$/.test(mediaType)
  );
}

async function toPage(response: GuardedResponse, format: WebFetchOptions["format"]): Promise<WebPage> {
  const { url, status, headers, bytes, truncated } = response;
  const contentType = headers["content-type"] ?? "";
  const mediaType = mediaTypeOf(contentType);
  // The media type of empty and error responses is not checked.
  if (bytes.length > 0 && !isText(mediaType)) throw new EngineError("web.unsupported_type", { url, mediaType });
  const text = decodePage(bytes, contentType);
  if (!isHtml(mediaType) || format === "raw") return { url, status, mediaType, content: text, truncated };
  return { url, status, mediaType, truncated, ...(await readPage(text, url, format ?? "markdown")) };
}

/**
 * Creates the page fetcher of the tool `web_fetch`: GET only, no credentials, public addresses only, limited time and
 * size, HTML converted to Markdown. See loop: web_fetch, §3.6.
 */
export function createWebFetcher(options: WebFetcherOptions = {}): WebFetcher {
  return {
    fetch: async (url, { signal, format } = {}) =>
      toPage(await guardedFetch(url, { ...options, signal, accept: ACCEPT, whenTooLarge: "truncate" }), format),
  };
}
