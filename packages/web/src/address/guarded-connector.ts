import { isIP } from "node:net";
import type { buildConnector } from "undici";
import { addressRefused, type FindAddresses, guardedLookup } from "./guarded-lookup.ts";
import { isPublicAddress } from "./is-public-address.ts";

/** Options of a guarded connector. */
export interface GuardOptions {
  /** Origins (`http://host:port`) to which connections are allowed even if the address is not public. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Resolves addresses. Default: the system's resolver. */
  readonly findAddresses?: FindAddresses | undefined;
  /** Time limit of a connection, in milliseconds. */
  readonly timeoutMs: number;
}

/** Removes the brackets of an address in a URL. */
function bare(hostname: string): string {
  return hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = isIP(bare(hostname)) === 6 ? `[${bare(hostname)}]` : hostname;
  return new URL(`${protocol}//${host}${port === "" ? "" : `:${port}`}`).origin;
}

/**
 * Creates a connector that connects to public addresses only. IP addresses in URLs are checked directly, and host names
 * in the lookup that the connection uses. The connected socket is checked again. A changed DNS record can therefore not
 * bypass the check.
 */
export function createGuardedConnector(
  build: typeof buildConnector,
  { allowedOrigins, findAddresses, timeoutMs }: GuardOptions,
): buildConnector.connector {
  const open = build({ timeout: timeoutMs });
  const guarded = build({ timeout: timeoutMs, lookup: guardedLookup(findAddresses) });
  return (options, callback) => {
    if (allowedOrigins.has(originOf(options))) {
      open(options, callback);
      return;
    }
    const hostname = bare(options.hostname);
    if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) {
      callback(addressRefused(hostname, hostname), null);
      return;
    }
    guarded(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const { remoteAddress = "nowhere" } = socket;
      if (isPublicAddress(remoteAddress)) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(addressRefused(hostname, remoteAddress), null);
    });
  };
}
