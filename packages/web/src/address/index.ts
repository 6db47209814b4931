// Exports for implementers: checks of addresses, without the code that fetches pages.

export type { FindAddresses } from "./guarded-lookup.ts";
export { guardedLookup, systemAddresses } from "./guarded-lookup.ts";
export { isPublicAddress } from "./is-public-address.ts";
