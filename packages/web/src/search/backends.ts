import { propertyOf, readHits, type SearchBackend } from "./search-backend.ts";

/** API key, wrapped like a secret of `@switchyard/secrets`. */
export interface SearchKey {
  /** Returns the key, which is sent with each request. */
  reveal(): string;
}

/** Maximum number of results that one request to Brave may ask for. */
const BRAVE_MOST = 20;
/** Maximum number of results that one request to Tavily may ask for. */
const TAVILY_MOST = 20;

/** Creates the backend for a SearXNG instance, whose `search.formats` must include `json`. */
export function searxng(address: string): SearchBackend {
  return {
    name: "SearXNG",
    request: ({ text }) => {
      const url = new URL(address);
      if (!url.pathname.endsWith("/search")) url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
      url.searchParams.set("q", text);
      url.searchParams.set("format", "json");
      return { address: url.href };
    },
    hits: (answer) => readHits(propertyOf(answer, "results"), { snippet: "content" }),
  };
}

/** Creates the backend for the Brave Search API. */
export function brave(key: SearchKey, address = "https://api.search.brave.com/res/v1/web/search"): SearchBackend {
  return {
    name: "Brave Search",
    request: ({ text, maxResults }) => {
      const url = new URL(address);
      url.searchParams.set("q", text);
      url.searchParams.set("count", String(Math.min(maxResults, BRAVE_MOST)));
      url.searchParams.set("text_decorations", "false");
      return { address: url.href, headers: { "x-subscription-token": key.reveal() } };
    },
    hits: (answer) => {
      const web = propertyOf(answer, "web");
      // Brave omits the list if there are no hits.
      if (web === undefined && propertyOf(answer, "type") === "search") return [];
      return readHits(propertyOf(web, "results"), { snippet: "description" });
    },
  };
}

/** Creates the backend for Tavily's search. */
export function tavily(key: SearchKey, address = "https://api.tavily.com/search"): SearchBackend {
  return {
    name: "Tavily",
    request: ({ text, maxResults }) => ({
      address,
      headers: { authorization: `Bearer ${key.reveal()}`, "content-type": "application/json" },
      body: JSON.stringify({ query: text, max_results: Math.min(maxResults, TAVILY_MOST) }),
    }),
    hits: (answer) => readHits(propertyOf(answer, "results"), { snippet: "content" }),
  };
}
