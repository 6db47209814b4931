import type { WebFetcher } from "@switchyard/contracts";

/** A fetcher of pages that loads what it is made of with the first page: a run that fetches none pays nothing. */
export function lazyWebFetcher(): WebFetcher {
  let made: Promise<WebFetcher> | undefined;
  return {
    fetch: async (url, options) => {
      made ??= import("@switchyard/web").then(({ createWebFetcher }) => createWebFetcher());
      return (await made).fetch(url, options);
    },
  };
}
