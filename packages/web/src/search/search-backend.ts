import type { WebSearchResult } from "@switchyard/contracts";
import type { RequestParts } from "../fetch/guarded-fetch.ts";

/** A search that is asked for. */
interface SearchQuery {
  readonly text: string;
  readonly maxResults: number;
}

/** One request to a backend. */
interface SearchRequest extends RequestParts {
  readonly address: string;
}

/** How a backend is asked, and how its answers are read. */
export interface SearchBackend {
  /** Its name, for messages. */
  readonly name: string;
  /** The request for a query. */
  readonly request: (query: SearchQuery) => SearchRequest;
  /** The hits in an answer; nothing where it is none of this backend. */
  readonly hits: (answer: unknown) => readonly WebSearchResult[] | undefined;
}

/** A property of something that may be anything. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Names of the fields of a hit that are not called the same everywhere. */
export interface HitFields {
  readonly snippet: string;
}

/** Reads a list of hits; what is no hit in it is left out. */
export function readHits(list: unknown, { snippet }: HitFields): readonly WebSearchResult[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item: unknown) => {
    const [title, url, text] = [propertyOf(item, "title"), propertyOf(item, "url"), propertyOf(item, snippet)];
    if (typeof title !== "string" || typeof url !== "string") return [];
    return [typeof text === "string" ? { title, url, snippet: text } : { title, url }];
  });
}
