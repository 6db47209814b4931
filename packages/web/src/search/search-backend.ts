import type { WebSearchResult } from "@switchyard/contracts";
import type { RequestParts } from "../fetch/guarded-fetch.ts";

/** A search query. */
interface SearchQuery {
  readonly text: string;
  readonly maxResults: number;
}

/** One request to a search backend. */
interface SearchRequest extends RequestParts {
  readonly address: string;
}

/** Request and response format of a search backend. */
export interface SearchBackend {
  /** Name, for messages. */
  readonly name: string;
  /** Returns the backend request for a search query. */
  readonly request: (query: SearchQuery) => SearchRequest;
  /** Returns the hits in a backend's response. `undefined` if the response has an unexpected format. */
  readonly hits: (answer: unknown) => readonly WebSearchResult[] | undefined;
}

/** Returns a property of a value of unknown type. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Names of the fields of a hit, which differ between backends. */
export interface HitFields {
  readonly snippet: string;
}

/** Reads a list of hits. Invalid entries are skipped. */
export function readHits(list: unknown, { snippet }: HitFields): readonly WebSearchResult[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item: unknown) => {
    const [title, url, text] = [propertyOf(item, "title"), propertyOf(item, "url"), propertyOf(item, snippet)];
    if (typeof title !== "string" || typeof url !== "string") return [];
    return [typeof text === "string" ? { title, url, snippet: text } : { title, url }];
  });
}
