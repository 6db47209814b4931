// Exports for users: fetching web pages as text, and web search.

export type { WebFetcherOptions } from "./create-web-fetcher.ts";
export { createWebFetcher } from "./create-web-fetcher.ts";
export type { SearchKey } from "./search/backends.ts";
export type { WebSearchBackend, WebSearcherOptions } from "./search/create-web-searcher.ts";
export { createWebSearcher } from "./search/create-web-searcher.ts";

// Exports for implementers: the guarded HTTP request and its options.

export type { FindAddresses } from "./address/guarded-lookup.ts";
export { guardedLookup } from "./address/guarded-lookup.ts";
export { isPublicAddress } from "./address/is-public-address.ts";
export type { GuardedFetchOptions, GuardedResponse } from "./fetch/guarded-fetch.ts";
export { guardedFetch } from "./fetch/guarded-fetch.ts";
export type { Body, ReadBodyOptions } from "./fetch/read-body.ts";
export { readBody } from "./fetch/read-body.ts";
