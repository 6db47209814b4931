import fc from "fast-check";
import { expect, test } from "vitest";
import { createMarkSplitter } from "./mark-splitter.ts";

const MARK = "abab1";

function split(chunks: readonly Uint8Array[]): { data: string; marks: string[] } {
  const marks: string[] = [];
  let data = "";
  const splitter = createMarkSplitter(MARK, {
    data: (bytes) => {
      data += bytes.toString("latin1");
    },
    mark: (rest) => {
      marks.push(rest);
      return true;
    },
  });
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return { data, marks };
}

function cut(text: string, at: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, "latin1");
  const edges = [0, ...at.map((edge) => edge % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

test("marks are found and no other bytes are lost, for any split of the stream", () => {
  const noise = fc.string({ unit: fc.constantFrom("a", "b", "1", "\n", "\0", "\xff"), maxLength: 12 });
  const piece = fc.record({
    before: noise.filter((text) => !text.includes(MARK)),
    rest: fc.constantFrom("", "end 0", "x"),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 10 }), (pieces, cuts) => {
      // A partial mark in the random bytes may combine with the following mark. Such a stream has another meaning and
      // is skipped.
      const text = pieces.map(({ before, rest }) => `${before}|${MARK} ${rest}\n`).join("");
      expect(split(cut(text, cuts))).toEqual({
        data: pieces.map(({ before }) => `${before}|`).join(""),
        marks: pieces.map(({ rest }) => rest),
      });
    }),
  );
});

test("an incomplete mark, and a mark without a line end, are returned as data at the end", () => {
  expect(split([Buffer.from("xaba")])).toEqual({ data: "xaba", marks: [] });
  expect(split([Buffer.from("x"), Buffer.from("abab1 half")])).toEqual({ data: "xabab1 half", marks: [] });
});

test("a handler that stops early gets the rest of the chunk back", () => {
  const seen: string[] = [];
  const splitter = createMarkSplitter(MARK, { data: (bytes) => void seen.push(bytes.toString()), mark: () => false });
  expect(splitter.write(Buffer.from("mine abab1 0\nyours abab1 1\n")).toString()).toBe("yours abab1 1\n");
  expect(seen).toEqual(["mine "]);
});

test("release emits all bytes received so far, once, for any split of a stream without marks", () => {
  const noise = fc.string({ unit: fc.constantFrom("a", "b", "1"), maxLength: 20 });
  const text = noise.filter((candidate) => !candidate.includes(MARK));
  fc.assert(
    fc.property(text, fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 10 }), (whole, cuts) => {
      const chunks = cut(
        whole,
        cuts.map(([at]) => at),
      );
      let data = "";
      let received = "";
      const splitter = createMarkSplitter(MARK, {
        data: (bytes) => {
          data += bytes.toString("latin1");
        },
        mark: () => expect.fail("there is no mark"),
      });
      for (const [index, chunk] of chunks.entries()) {
        splitter.write(chunk);
        received += chunk.toString("latin1");
        if (cuts[index]?.[1] !== true) continue;
        splitter.release();
        expect(splitter.holdsOutput).toBe(false);
        expect(data).toBe(received);
      }
      splitter.end();
      expect(data).toBe(whole);
    }),
  );
});

test("a mark whose start was released is still found", () => {
  let data = "";
  const marks: string[] = [];
  const splitter = createMarkSplitter(MARK, {
    data: (bytes) => {
      data += bytes.toString("latin1");
    },
    mark: (rest) => marks.push(rest) > 0,
  });
  splitter.write(Buffer.from("x\nab"));
  expect(splitter.holdsOutput).toBe(true);
  splitter.release();
  splitter.write(Buffer.from("ab1 end"));
  splitter.write(Buffer.from(" 0\ny"));
  expect({ data, marks }).toEqual({ data: "x\naby", marks: ["end 0"] });
});

test("output is not held back for a start of a mark that is too long to be a coincidence", () => {
  const splitter = createMarkSplitter("0123456789", { data: () => {}, mark: () => true });
  splitter.write(Buffer.from("01234567"));
  expect(splitter.holdsOutput).toBe(true);
  splitter.write(Buffer.from("8"));
  expect(splitter.holdsOutput).toBe(false);
});
