import { EngineError } from "@switchyard/contracts";
import { ACCESS, type ActionId, type RouteId } from "../api/access-table.ts";
import { clientKeyOf } from "../connection/client-address.ts";
import { hasRole, LOCAL_CALLER } from "../guard/caller.ts";
import type { AppParts } from "./app-parts.ts";
import type { RequestContext } from "./request-facts.ts";

/** Identifies the caller and applies the rate limit. Throws `server.unauthorized` and `server.rate_limited`. */
export function authenticate(context: RequestContext, parts: AppParts): void {
  const { options, meter, connections } = parts;
  const { tokens, rateLimit } = options;
  const caller = tokens === undefined ? LOCAL_CALLER : tokens.callerOf(context.req.header("authorization"));
  if (caller === undefined) throw refusal(context, parts);
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

/**
 * Returns the error for a request without a valid token. An invalid token counts toward the rate limit of the client's
 * address. A missing token does not count.
 */
function refusal({ req, env }: RequestContext, { attempts, options, proxies, metrics }: AppParts): EngineError {
  if (req.header("authorization") === undefined) return new EngineError("server.unauthorized");
  const retryAfterSeconds = attempts.take(clientKeyOf(env.incoming, proxies));
  metrics.attempted(retryAfterSeconds === 0 ? "refused" : "limited");
  if (retryAfterSeconds === 0) return new EngineError("server.unauthorized");
  const limit = options.attemptLimit?.perMinute;
  return new EngineError("server.too_many_attempts", { limit, retryAfterSeconds });
}
