import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { EngineError } from "@switchyard/contracts";
import type { buildConnector } from "undici";
import { isPublicAddress } from "./is-public-address.ts";

/** Finds the addresses of a host name. */
export type FindAddresses = (hostname: string) => Promise<readonly LookupAddress[]>;

/** How connections are guarded. */
export interface GuardOptions {
  /** Origins (`http://host:port`) that may be reached wherever they lead. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Finds addresses; the system's resolver by default. */
  readonly findAddresses?: FindAddresses | undefined;
  /** Time a connection may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** The addresses the system's resolver finds. */
function findSystemAddresses(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

function refusal(host: string, address: string): EngineError {
  return new EngineError("web.address_refused", { host, address });
}

/** Looks a name up and refuses it when any of its addresses is not public: what is found here is what is connected to. */
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

/** An address in brackets, as a URL writes it, without them. */
function bare(hostname: string): string {
  return hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = isIP(bare(hostname)) === 6 ? `[${bare(hostname)}]` : hostname;
  return new URL(`${protocol}//${host}${port === "" ? "" : `:${port}`}`).origin;
}

/**
 * Connects to public addresses only. Addresses are looked at where a literal one skips the look-up, in the very
 * look-up that the connection is made from, and once more on the connected socket: no name can lead elsewhere in
 * between.
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
