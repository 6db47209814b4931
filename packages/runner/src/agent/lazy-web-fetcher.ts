import type { WebFetcher } from "@switchyard/contracts";

/**
 * Returns a web fetcher that loads its implementation for the first page, so that runs without web access do not pay
 * for it.
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
