import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { isPublicAddress } from "./is-public-address.ts";

/** Resolves a host name to addresses. */
export type FindAddresses = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves a host name to all its addresses with the system's resolver. */
export function systemAddresses(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

/** Returns the error for a host with an address that is not public. */
export function addressRefused(host: string, address: string): EngineError {
  return new EngineError("web.address_refused", { host, address });
}

/**
 * Returns a DNS lookup function for connections. It fails with `web.address_refused` if any address of a host name is
 * not public. The connection uses the checked addresses, so DNS rebinding cannot bypass the check. Host names are
 * resolved by `findAddresses`. Default: the system's resolver.
 */
export function guardedLookup(findAddresses: FindAddresses = systemAddresses): LookupFunction {
  return (hostname, options, callback) => {
    findAddresses(hostname).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (refused !== undefined) callback(addressRefused(hostname, refused.address), "", 0);
        else if (first === undefined) callback(new Error(`${hostname} has no address`), "", 0);
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), "", 0),
    );
  };
}
