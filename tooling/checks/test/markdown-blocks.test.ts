import { expect, test } from "vitest";
import { firstRunnable, markdownBlocks } from "../src/markdown-blocks.mjs";

test("fenced blocks come with language, marks and the line of their code", () => {
  const blocks = markdownBlocks("# Title\n\n```ts run\nconst a = 1;\n```\n\n```sh\nls\n```\n");
  expect(blocks).toEqual([
    { language: "ts", marks: ["run"], line: 4, code: "const a = 1;" },
    { language: "sh", marks: [], line: 8, code: "ls" },
  ]);
});

test("a longer fence may hold shorter ones, and an indented block loses its indent", () => {
  expect(markdownBlocks("````md\n```ts\n1;\n```\n````\n").map(({ code }) => code)).toEqual(["```ts\n1;\n```"]);
  expect(markdownBlocks("- item\n\n  ```ts\n  if (a) {\n    b();\n  }\n  ```\n")).toMatchObject([
    { code: "if (a) {\n  b();\n}" },
  ]);
});

test("the block that the check pack runs is the first block of code marked run", () => {
  const blocks = markdownBlocks("```ts\n1;\n```\n```json run\n{}\n```\n```sh run\nls\n```\n```ts run\n2;\n```\n");
  expect(firstRunnable(blocks)).toMatchObject({ language: "sh", line: 8 });
  expect(firstRunnable(blocks.slice(0, 2))).toBeUndefined();
});
