import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { CaseBody } from "../contract/define-contract.ts";
import { type EnvironmentBench, toBytes, toText } from "./environment-bench.ts";

const EVERY_BYTE = Uint8Array.from({ length: 1_024 }, (_, index) => (index * 7 + (index >> 8)) % 256);

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Conformance cases for reading and writing files as bytes, whole or in ranges. */
export const byteCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/bytes-as-written",
    requirement: "loop-4.1-2",
    title: "Reads every byte as it was written",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.bin": EVERY_BYTE, "empty.bin": new Uint8Array() });
      assert.deepEqual([...(await environment.readBytes("a.bin"))], [...EVERY_BYTE]);
      assert.equal((await environment.readBytes("empty.bin")).length, 0);
    },
  },
  {
    id: "environment/bytes-window",
    requirement: "loop-4.1-2",
    title: "Reads exactly the requested range of bytes",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.bin": EVERY_BYTE });
      const windows = [{ offset: 0, length: 1 }, { offset: 100, length: 300 }, { length: 5 }, { offset: 1_000 }];
      for (const window of windows) {
        const { offset = 0, length = EVERY_BYTE.length } = window;
        assert.deepEqual(
          [...(await environment.readBytes("a.bin", window))],
          [...EVERY_BYTE.slice(offset, offset + length)],
        );
      }
    },
  },
  {
    id: "environment/bytes-window-odd",
    requirement: "loop-4.1-2",
    title: "Returns an empty range after the end of the file, and truncates a range that crosses the end",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "0123456789" });
      const read = async (offset: number, length?: number) =>
        toText(await environment.readBytes("a.txt", { offset, length }));
      assert.equal(await read(10), "");
      assert.equal(await read(Number.MAX_SAFE_INTEGER, 5), "");
      assert.equal(await read(8, 1_000_000), "89");
      assert.equal(await read(3, 0), "");
      assert.equal(await read(-4, 2), "01");
    },
  },
  {
    id: "environment/bytes-large",
    requirement: "loop-4.1-2",
    title: "Reads a file of five million arbitrary bytes completely",
    async check({ environment, writeFiles }) {
      const bytes = Uint8Array.from({ length: 5_000_011 }, (_, index) => (index * 31 + (index >> 9)) & 255);
      await writeFiles({ "large.bin": bytes });
      assert.equal((await environment.stat("large.bin")).size, bytes.length);
      assert.equal(digestOf(await environment.readBytes("large.bin")), digestOf(bytes));
      const window = await environment.readBytes("large.bin", { offset: 4_999_000, length: 900 });
      assert.equal(digestOf(window), digestOf(bytes.slice(4_999_000, 4_999_900)));
    },
  },
  {
    id: "environment/bytes-of-text",
    requirement: "loop-4.1-2",
    title: "Stores text as UTF-8",
    async check({ environment, writeFiles }) {
      const text = "\uFEFFé😀\u0000x";
      await writeFiles({ "a.txt": text });
      assert.deepEqual([...(await environment.readBytes("a.txt"))], [...toBytes(text)]);
    },
  },
  {
    id: "environment/bytes-apart",
    requirement: "loop-4.1-2",
    title: "Does not change a file when the caller changes bytes that it wrote or read",
    async check({ environment, needs }) {
      needs("writing");
      const bytes = toBytes("first");
      const writing = environment.writeFile("a.txt", bytes);
      await writing;
      bytes.fill(0);
      const read = await environment.readBytes("a.txt");
      assert.equal(toText(read), "first");
      read.fill(0);
      assert.equal(toText(await environment.readBytes("a.txt")), "first");
    },
  },
];
