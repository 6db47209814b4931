import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { openCodeCache } from "./code-cache.ts";

const folder = mkdtempSync(join(tmpdir(), "code-cache-"));
const path = join(folder, "deep/code");
const SOURCE = "(function () { return 6 * 7; })";

afterEach(() => rmSync(join(folder, "deep"), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keep(...names: string[]): void {
  const cache = openCodeCache(path);
  for (const name of names) cache.add(name, new Script(SOURCE));
  cache.save();
}

test("V8 uses the cached code, and the cache contains only added code", () => {
  keep("a.cjs");
  const cachedData = openCodeCache(path).get("a.cjs");
  expect(new Script(SOURCE, { cachedData }).cachedDataRejected).toBe(false);
  expect(openCodeCache(path).get("b.cjs")).toBeUndefined();
});

test("code that is added later is stored in another file, which only its owner can read, and no temporary file remains", () => {
  keep("a.cjs");
  const first = openCodeCache(path).get("a.cjs");
  keep("b.cjs");
  const cache = openCodeCache(path);
  expect(cache.get("a.cjs")).toEqual(first);
  expect(cache.get("b.cjs")).toBeInstanceOf(Buffer);
  expect(readdirSync(join(folder, "deep"))).toEqual(["code"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
});

test("cached code of earlier versions is removed after a month", () => {
  keep("a.cjs");
  const [old, other] = [join(folder, "deep/old"), join(folder, "deep/other")];
  for (const each of [old, other]) writeFileSync(each, "");
  const seconds = Date.now() / 1_000;
  utimesSync(old, seconds, seconds - 31 * 86_400);
  utimesSync(other, seconds, seconds - 29 * 86_400);
  keep("b.cjs");
  expect(readdirSync(join(folder, "deep")).toSorted()).toEqual(["code", "other"]);
});

test("a process that added no code writes no file", () => {
  openCodeCache(path).save();
  expect(() => statSync(path)).toThrow("ENOENT");
});

test("a cache file that is truncated or changed is ignored", () => {
  keep("a.cjs");
  const whole = readFileSync(path);
  const damage = fc.record({ at: fc.nat(whole.length - 1), by: fc.integer({ min: 1, max: 255 }), cut: fc.boolean() });
  fc.assert(
    fc.property(damage, ({ at, by, cut }) => {
      const bytes = Buffer.from(cut ? whole.subarray(0, at) : whole);
      if (!cut) bytes[at] = (bytes[at] ?? 0) ^ by;
      writeFileSync(path, bytes);
      expect(openCodeCache(path).get("a.cjs")).toBeUndefined();
    }),
  );
});

test("a cache file that other users can write to is ignored", () => {
  keep("a.cjs");
  chmodSync(path, 0o666);
  expect(openCodeCache(path).get("a.cjs")).toBeUndefined();
  chmodSync(path, 0o600);
  expect(openCodeCache(path).get("a.cjs")).toBeInstanceOf(Buffer);
});

test("if the cache cannot be written, nothing is stored and no error occurs", () => {
  writeFileSync(join(folder, "deep"), "no folder");
  expect(() => keep("a.cjs")).not.toThrow();
  expect(openCodeCache(path).get("a.cjs")).toBeUndefined();
});
