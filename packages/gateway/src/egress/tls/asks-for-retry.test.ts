import fc from "fast-check";
import { expect, test } from "vitest";
import { asksForRetry } from "./asks-for-retry.ts";

const RETRY = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

/** A ServerHello with a random field, in records of a size. */
function serverHello(random: string, size = 1000): Buffer {
  const body = Buffer.concat([Buffer.from([3, 3]), Buffer.from(random, "hex"), Buffer.alloc(20)]);
  const message = Buffer.concat([Buffer.from([2, 0, 0, body.length]), body]);
  const records: Buffer[] = [];
  for (let start = 0; start < message.length; start += size) {
    const part = message.subarray(start, start + size);
    records.push(Buffer.from([22, 3, 3, 0, part.length]), part);
  }
  return Buffer.concat(records);
}

test("a HelloRetryRequest is recognised as soon as its random field is complete, however it is split into records", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.boolean(), (size, isRetry) => {
      const bytes = serverHello(isRetry ? RETRY : RETRY.replace("cf", "ce"), size);
      const known = Array.from(bytes.keys(), (end) => asksForRetry(bytes.subarray(0, end)));
      const first = known.findIndex((result) => result !== undefined);
      expect(first).toBeLessThan(300);
      expect(known.slice(first)).toEqual(known.slice(first).map(() => isRetry));
    }),
    { numRuns: 40 },
  );
});

test.each([
  ["an alert", Buffer.from([21, 3, 3, 0, 2, 2, 40])],
  ["another message", Buffer.from([22, 3, 3, 0, 4, 11, 0, 0, 0])],
  ["an empty record", Buffer.from([22, 3, 3, 0, 0])],
  ["another protocol", Buffer.from("SSH-2.0-x")],
])("%s is no request for a second ClientHello", (_, bytes) => {
  expect(asksForRetry(bytes)).toBe(false);
});
