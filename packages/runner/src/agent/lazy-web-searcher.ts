import type { WebSearcher } from "@switchyard/contracts";
import type { WebSearchBackend } from "@switchyard/web";

/** Returns a web searcher that loads its implementation for the first search. */
export function lazyWebSearcher(backend: WebSearchBackend): WebSearcher {
  let made: Promise<WebSearcher> | undefined;
  return {
    search: async (query, options) => {
      made ??= import("@switchyard/web").then(({ createWebSearcher }) => createWebSearcher(backend));
      return (await made).search(query, options);
    },
  };
}
