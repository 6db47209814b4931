import { EngineError } from "@switchyard/contracts";
import { ACCESS, type ActionId, type RouteId } from "../api/access-table.ts";
import { clientKeyOf } from "../connection/client-address.ts";
import { type Caller, hasRole, LOCAL_CALLER } from "../guard/caller.ts";
import { needsToken } from "../guard/needs-token.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { AppParts } from "./app-parts.ts";
import type { RequestContext } from "./request-facts.ts";

/**
 * Identifies the caller and applies the rate limit. Rejects with `server.unauthorized`, `server.invalid_token`,
 * `server.issuer_unavailable`, `server.too_many_attempts`, `server.too_many_connections` and `server.rate_limited`.
 */
export async function authenticate(context: RequestContext, parts: AppParts): Promise<void> {
  const { options, meter, connections } = parts;
  const { rateLimit } = options;
  const caller = await callerOf(context.req.header("authorization"), options).catch((error: unknown) => {
    throw EngineError.is(error, "server.invalid_token") ? refusal(context, parts, error) : error;
  });
  if (caller === undefined) throw refusal(context, parts, new EngineError("server.unauthorized"));
  context.set("caller", caller);
  context.set("about", { owner: caller.owner });
  connections.authenticate(context.env.incoming.socket, caller.owner);
  const retryAfterSeconds = meter?.take(caller.owner) ?? 0;
  if (retryAfterSeconds === 0) return;
  throw new EngineError("server.rate_limited", { limit: rateLimit?.perMinute, retryAfterSeconds });
}

/** Throws `server.missing_role` if the access table does not allow the caller to use a route or an action. */
export function assertAccess(context: RequestContext, route: RouteId | ActionId): void {
  const roles = ACCESS[route];
  if (roles === "everyone" || hasRole(context.get("caller"), roles)) return;
  throw new EngineError("server.missing_role", { roles: roles.join(", ") });
}

async function callerOf(
  authorization: string | undefined,
  options: Pick<ServerOptions, "tokens" | "oidc">,
): Promise<Caller | undefined> {
  if (!needsToken(options)) return LOCAL_CALLER;
  const { tokens, oidc } = options;
  return tokens?.callerOf(authorization) ?? oidc?.callerOf(authorization);
}

/**
 * Returns the error for a request without a valid token. An invalid token counts toward the rate limit of the client's
 * address. A missing token does not count.
 */
function refusal({ req, env }: RequestContext, parts: AppParts, error: EngineError): EngineError {
  const { attempts, options, proxies, metrics } = parts;
  if (req.header("authorization") === undefined) return error;
  const retryAfterSeconds = attempts.take(clientKeyOf(env.incoming, proxies));
  metrics.attempted(retryAfterSeconds === 0 ? "refused" : "limited");
  if (retryAfterSeconds === 0) return error;
  const limit = options.attemptLimit?.perMinute;
  return new EngineError("server.too_many_attempts", { limit, retryAfterSeconds });
}
