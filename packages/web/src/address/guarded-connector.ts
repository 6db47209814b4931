import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { EngineError } from "@switchyard/contracts";
import type { buildConnector } from "undici";
import { isPublicAddress } from "./is-public-address.ts";

/** Resolves a host name to addresses. */
export type FindAddresses = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Options of a guarded connector. */
export interface GuardOptions {
  /** Origins (`http://host:port`) to which connections are allowed even if the address is not public. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Resolves addresses. Default: the system's resolver. */
  readonly findAddresses?: FindAddresses | undefined;
  /** Time limit of a connection, in milliseconds. */
  readonly timeoutMs: number;
}

/** Resolves addresses with the system's resolver. */
function findSystemAddresses(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

function refusal(host: string, address: string): EngineError {
  return new EngineError("web.address_refused", { host, address });
}

/**
 * Returns a DNS lookup function that rejects a host name if any of its addresses is not public. The connection uses the
 * checked addresses.
 */
function guardedLookup(findAddresses: FindAddresses): LookupFunction {
  return (hostname, options, callback) => {
    findAddresses(hostname).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (refused !== undefined) callback(refusal(hostname, refused.address), "", 0);
        else if (first === undefined) callback(new Error(`${hostname} has no address`), "", 0);
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), "", 0),
    );
  };
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
  { allowedOrigins, findAddresses = findSystemAddresses, timeoutMs }: GuardOptions,
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
      callback(refusal(hostname, hostname), null);
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
      callback(refusal(hostname, remoteAddress), null);
    });
  };
}
