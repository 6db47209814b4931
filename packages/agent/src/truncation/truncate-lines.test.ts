import { expect, test } from "vitest";
import { cutLines } from "./truncate-lines.ts";

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`).join("\n");

test.each([5, 6, 7, 20])("a text that was cut by characters has at most %i lines, its marker included", (maxLines) => {
  const limits = { maxLines, maxChars: 10_000 };
  const [head, tail, marker] = [lines("head", 40), lines("tail", 40), "[cut]"];
  const onlyTail = cutLines({ head: "", marker, tail }, limits, "tail").split("\n");
  expect(onlyTail).toHaveLength(maxLines);
  expect([onlyTail[0], onlyTail.at(-1)]).toEqual([marker, "tail 39"]);
  const onlyHead = cutLines({ head, marker, tail: "" }, limits, "head").split("\n");
  expect(onlyHead).toHaveLength(maxLines);
  expect([onlyHead[0], onlyHead.at(-1)]).toEqual(["head 0", marker]);
  const both = cutLines({ head, marker, tail }, limits, "head_tail").split("\n");
  expect(both).toHaveLength(maxLines);
  expect([both[0], both.at(-1)]).toEqual(["head 0", "tail 39"]);
  expect(both).toContain(marker);
});
