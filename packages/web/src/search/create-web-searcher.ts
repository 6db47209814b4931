import { EngineError, type WebSearcher, type WebSearchResult } from "@switchyard/contracts";
import { type GuardedFetchOptions, guardedRequest } from "../fetch/guarded-fetch.ts";
import { brave, type SearchKey, searxng, tavily } from "./backends.ts";
import type { SearchBackend } from "./search-backend.ts";

/** Search backend: a SearXNG instance, or a service with an API key. */
export type WebSearchBackend =
  | { readonly kind: "searxng" /** Its address. */; readonly url: string }
  | {
      readonly kind: "brave" | "tavily";
      /** API key of the service. */
      readonly apiKey: SearchKey;
      /** Base URL that replaces the URL of the search service, for example the URL of a gateway. */
      readonly url?: string | undefined;
    };

/** Limits of a search. */
export type WebSearcherOptions = Pick<GuardedFetchOptions, "timeoutMs" | "maxBytes" | "userAgent" | "findAddresses">;

/** Default number of results. */
const DEFAULT_RESULTS = 10;
/** Maximum length of a query, in characters. A longer query is truncated. */
const MAX_QUERY_CHARS = 1_000;
/** Maximum lengths of a title, an address and a snippet, in characters. */
const [MAX_TITLE_CHARS, MAX_URL_CHARS, MAX_SNIPPET_CHARS] = [300, 2_000, 1_000];
/** Maximum size of a response: 2 MiB. A larger response is rejected. */
const MAX_BYTES = 2 * 1024 * 1024;

function backendOf(backend: WebSearchBackend): SearchBackend {
  switch (backend.kind) {
    case "searxng":
      return searxng(backend.url);
    case "brave":
      return brave(backend.apiKey, backend.url);
    case "tavily":
      return tavily(backend.apiKey, backend.url);
  }
}

/** Converts untrusted text to one line, without markup and control characters. */
function cleanText(text: string, maxChars: number): string {
  const plain = text
    .slice(0, 4 * maxChars)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, "")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return plain.length > maxChars ? `${plain.slice(0, maxChars - 1).toWellFormed()}…` : plain;
}

/** Returns a cleaned search hit. `undefined` if the hit's URL is not a web page. */
function cleanHit({ title, url, snippet }: WebSearchResult): WebSearchResult | undefined {
  if (url.length > MAX_URL_CHARS || !URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") return undefined;
  const hit = { title: cleanText(title, MAX_TITLE_CHARS) || href, url: href };
  return snippet === undefined ? hit : { ...hit, snippet: cleanText(snippet, MAX_SNIPPET_CHARS) };
}

function parseAnswer(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the URL of a search backend, without its query. */
function placeOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/**
 * Creates the searcher of the tool `web_search`. A search sends one request to one backend, with limited time and size.
 * The configured address of the backend may be private. No other address is contacted, and redirects are not followed.
 * Hits are cleaned and link to web pages only. Rejects with `web.*`; throws `config.invalid` for an invalid address.
 * See loop: web_search, §3.6.
 */
export function createWebSearcher(chosen: WebSearchBackend, options: WebSearcherOptions = {}): WebSearcher {
  if (chosen.url !== undefined && !/^https?:$/.test(URL.canParse(chosen.url) ? new URL(chosen.url).protocol : "")) {
    throw new EngineError("config.invalid", {
      field: "web_search",
      problem: "its address is not an http or https address",
    });
  }
  const backend = backendOf(chosen);
  const allowedOrigins = chosen.url === undefined ? [] : [new URL(chosen.url).origin];
  return {
    search: async (query, { maxResults = DEFAULT_RESULTS, signal } = {}) => {
      const { address, ...parts } = backend.request({
        text: query.slice(0, MAX_QUERY_CHARS).toWellFormed(),
        maxResults,
      });
      const bounds = { maxBytes: MAX_BYTES, ...options, whenTooLarge: "fail" as const, accept: "application/json" };
      const { status, bytes } = await guardedRequest(address, { ...bounds, signal, allowedOrigins }, parts);
      const failed = (problem: string): EngineError =>
        new EngineError("web.failed", { url: placeOf(address), problem: `${backend.name} ${problem}` });
      if (status === 401 || status === 403) throw failed(`refused the key or the request (status ${status})`);
      if (status === 429) throw failed("allows no more searches for now (status 429)");
      if (status < 200 || status >= 300) throw failed(`answered with status ${status}`);
      const hits = backend.hits(parseAnswer(bytes));
      if (hits === undefined) throw failed("did not return search results in JSON");
      return hits.flatMap((hit) => cleanHit(hit) ?? []).slice(0, maxResults);
    },
  };
}
