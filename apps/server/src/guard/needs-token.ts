import type { ServerOptions } from "../server/server-options.ts";

/** Returns whether callers of a server need a token. */
export function needsToken({ tokens, oidc }: Pick<ServerOptions, "tokens" | "oidc">): boolean {
  return tokens !== undefined || oidc !== undefined;
}
