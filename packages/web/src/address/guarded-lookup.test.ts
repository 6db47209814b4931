import type { LookupAddress } from "node:dns";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { type FindAddresses, guardedLookup } from "./guarded-lookup.ts";

const PUBLIC = { address: "93.184.216.34", family: 4 };
const PUBLIC_6 = { address: "2606:2800:220:1:248:1893:25c8:1946", family: 6 };
const PRIVATE = { address: "10.0.0.1", family: 4 };

/** Resolves with the arguments that the lookup passes to a connection. */
function lookUp(findAddresses: FindAddresses, all: boolean): Promise<{ error: Error | null; found: unknown[] }> {
  return new Promise((resolve) => {
    guardedLookup(findAddresses)("host.example", { all }, (error, ...found) => resolve({ error, found }));
  });
}

const finding =
  (...addresses: LookupAddress[]): FindAddresses =>
  async (hostname) =>
    hostname === "host.example" ? addresses : [];

test("a connection to a public host gets its addresses, or only the first one", async () => {
  const find = finding(PUBLIC_6, PUBLIC);
  expect(await lookUp(find, true)).toEqual({ error: null, found: [[PUBLIC_6, PUBLIC]] });
  expect(await lookUp(find, false)).toEqual({ error: null, found: [PUBLIC_6.address, 6] });
});

test.each([true, false])("a host is refused if any of its addresses is not public (all addresses: %s)", async (all) => {
  const { error } = await lookUp(finding(PUBLIC, PRIVATE), all);
  expect(EngineError.is(error, "web.address_refused")).toBe(true);
  expect(error?.message).toContain(PRIVATE.address);
});

test("a host without an address and a failed lookup are errors", async () => {
  expect((await lookUp(finding(), true)).error?.message).toBe("host.example has no address");
  const failing = async (): Promise<never> => {
    throw new Error("no answer from the resolver");
  };
  expect((await lookUp(failing, true)).error?.message).toBe("no answer from the resolver");
});
