import type { WebFetcher } from "@switchyard/contracts";

/**
 * Returns a web fetcher that loads its implementation when the first page is fetched, to save start-up time in runs
 * without web access.
 */
export function lazyWebFetcher(): WebFetcher {
  let made: Promise<WebFetcher> | undefined;
  return {
    fetch: async (url, options) => {
      made ??= import("@switchyard/web").then(({ createWebFetcher }) => createWebFetcher());
      return (await made).fetch(url, options);
    },
  };
}
