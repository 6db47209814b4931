import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "-1" }, 0],
  [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "2026-01-01T00:01:00Z" }, 60_000],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "5, 9" }, 9000],
  [{ "retry-after": "30, 30" }, 30_000],
  [{ "retry-after": "5, soon" }, undefined],
  [{ "retry-after": "0x10" }, undefined],
  [{ "retry-after": "5s" }, undefined],
  [{ "retry-after": "9", "retry-after-ms": "soon" }, 9000],
  [{ "retry-after": "9", "retry-after-ms": "1500" }, 1500],
  [{}, undefined],
])("%j means %s ms", (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
});
