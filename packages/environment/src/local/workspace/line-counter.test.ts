import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineCounter } from "./line-counter.ts";

const NEWLINE = 0x0a;
/** Size of a file that is read in chunks of one mebibyte. */
const LARGE = 64 << 20;

test("the result equals that of a simple count, at every length", () => {
  const counter = createLineCounter(LARGE);
  const byte = fc.oneof(fc.constant(NEWLINE), fc.constantFrom(0, 9, 11, 0x8a, 255));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 70 }), fc.nat(20_000), (pattern, repeated) => {
      const bytes = Buffer.alloc(Math.min(70_000, Math.max(pattern.length, repeated)), Buffer.from([1, ...pattern]));
      counter.chunk.set(bytes);
      expect(counter.countIn(bytes.length)).toBe(bytes.filter((one) => one === NEWLINE).length);
    }),
  );
});

test("chunks of only line feeds, and chunks without any, are counted; stale bytes after the read are not", () => {
  const counter = createLineCounter(LARGE);
  counter.chunk.fill(NEWLINE);
  for (const length of [0, 1, 15, 16, 17, 4_079, 4_080, 4_081, 65_537, 1 << 20]) {
    expect(counter.countIn(length)).toBe(length);
  }
  counter.chunk.fill(0);
  expect(counter.countIn(1 << 20)).toBe(0);
});

test("lines are counted if code cannot be generated", () => {
  const platform = Object.getOwnPropertyDescriptor(globalThis, "WebAssembly");
  Object.defineProperty(globalThis, "WebAssembly", { value: {}, configurable: true });
  try {
    const counter = createLineCounter(LARGE);
    counter.chunk.fill("a\nb\n\n");
    expect(counter.countIn(100)).toBe(60);
    expect(counter.chunk).toHaveLength(1 << 20);
  } finally {
    if (platform !== undefined) Object.defineProperty(globalThis, "WebAssembly", platform);
  }
});
