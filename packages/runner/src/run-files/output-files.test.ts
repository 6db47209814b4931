import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { OutputReference } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOutputFiles } from "./output-files.ts";

const KEY = "hunter2-hunter2-hunter2";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "switchyard-outputs-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function store(
  pieces: readonly string[],
  { callId = "call-1", maxBytes }: { callId?: string; maxBytes?: number } = {},
): Promise<{ reference: OutputReference; text: string }> {
  const output = createOutputFiles(folder, { masker: createMasker([KEY]), maxBytes }).open(callId);
  for (const piece of pieces) output.write(piece);
  const reference = await output.finish();
  return { reference, text: readFileSync(join(folder, reference.path), "utf8") };
}

describe("outputs that are too large for an event [loop-2.9-10]", () => {
  test("are stored whole up to the limit, in a file that only the owner may read", async () => {
    const { reference, text } = await store(["one\n", "zwei ü\n"], { maxBytes: 12 });
    expect(text).toBe("one\nzwei ü\n");
    expect(reference).toEqual({ path: "outputs/call-1.txt", bytes: 12, truncated: false });
    expect(statSync(join(folder, reference.path)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "outputs")).mode & 0o777).toBe(0o700);
  });

  test.each([1, 7, 1_000])("are stored with head, tail and byte count above it, in chunks of %i", async (size) => {
    const complete = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join("");
    const pieces = complete.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const { reference, text } = await store(pieces, { maxBytes: 1_000 });
    expect(reference).toMatchObject({ bytes: complete.length, truncated: true });
    const [head = "", tail = ""] = text.split(/\n\[\.\.\. \d+ bytes were not kept \.\.\.\]\n/);
    expect([head, tail]).toEqual([complete.slice(0, 500), complete.slice(-500)]);
    expect(text).toContain(`[... ${complete.length - 1_000} bytes were not kept ...]`);
  });

  test("an output that is one byte too long loses only what the marker reports", async () => {
    const { text, reference } = await store(["abcdefghij", "k"], { maxBytes: 10 });
    expect(text).toBe("abcde\n[... 1 bytes were not kept ...]\nghijk");
    expect(reference).toMatchObject({ bytes: 11, truncated: true });
  });

  test("lose no character that is cut in two", async () => {
    const { text, reference } = await store(["a\ud83d", "\ude00b", "\ud83d"]);
    expect(text).toBe("a😀b\uFFFD");
    expect(reference.bytes).toBe(9);
  });

  test("take no more room together than they may, also side by side", async () => {
    const mebibyte = 1024 * 1024;
    const files = createOutputFiles(folder, { masker: createMasker([]), maxTotalBytes: 3 * mebibyte });
    const outputs = ["one", "two", "three"].map((id) => files.open(id));
    for (const output of outputs) output.write("x".repeat(2.5 * mebibyte));
    const references = await Promise.all(outputs.map((output) => output.finish()));
    expect(references.map(({ truncated }) => truncated)).toEqual([false, true, true]);
    const sizes = references.map(({ path }) => statSync(join(folder, path)).size);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(1.1 * mebibyte);
  });

  test("contain no secret, however it is split into chunks", async () => {
    const { text } = await store(["key: hunter2-hun", "ter2-hunter2", " end"]);
    expect(text).toBe("key: ***REDACTED*** end");
  });

  test("of calls with one id, or with an id that is not a file name, get separate files inside the folder", async () => {
    const first = await store(["first"]);
    const second = await store(["second"]);
    const strange = await store(["strange"], { callId: "../../../etc/passwd" });
    expect([first.reference.path, second.reference.path]).toEqual(["outputs/call-1.txt", "outputs/call-1.2.txt"]);
    expect(strange.reference.path).toMatch(/^outputs\/[0-9a-f]{32}\.txt$/);
    expect(readFileSync(join(folder, first.reference.path), "utf8")).toBe("first");
  });

  test("that cannot be written are reported at the end, and never while they are written", async () => {
    const output = createOutputFiles("/dev/null/nowhere", { masker: createMasker([]) }).open("call-1");
    output.write("text");
    await expect(output.finish()).rejects.toMatchObject({ code: "run.store_failed" });
  });

  test("of 24 MB are stored with bounded memory", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage: unknown = runInNewContext("gc");
    const used = (): number => {
      if (typeof collectGarbage === "function") collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const output = createOutputFiles(folder, { masker: createMasker([KEY]), maxBytes: 16 * 1024 * 1024 }).open("big");
    const before = used();
    let most = 0;
    for (let piece = 0; piece < 384; piece += 1) {
      // Dots, because letters and digits, which may encode a secret, take longer.
      output.write(`${String(piece).padStart(8)} ${".".repeat(65_526)}\n`);
      if (piece % 64 === 63) most = Math.max(most, used() - before);
    }
    const reference = await output.finish();
    expect(reference).toMatchObject({ bytes: 24 * 1024 * 1024, truncated: true });
    expect(most).toBeLessThan(8 * 1024 * 1024);
  });
});
