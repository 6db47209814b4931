import type { RequestAudit } from "../audit/audit-requests.ts";
import type { ProxyList } from "../connection/client-address.ts";
import type { ConnectionTable } from "../connection/connection-table.ts";
import type { RateMeter } from "../guard/rate-limit.ts";
import type { RunsParts } from "../runs/runs-parts.ts";

/** Dependencies of the routes. */
export interface AppParts extends RunsParts {
  /** Rate limiter for requests, by caller. `undefined` if requests are not limited. */
  readonly meter: RateMeter | undefined;
  /** Rate limiter for requests with an unknown token, by address. */
  readonly attempts: RateMeter;
  /** Table of all connections. */
  readonly connections: ConnectionTable;
  /** Audit log. `undefined` if requests are not audited. */
  readonly audit: RequestAudit | undefined;
  /** The operator's reverse proxies, whose `X-Forwarded-For` header is trusted. */
  readonly proxies: ProxyList;
}
