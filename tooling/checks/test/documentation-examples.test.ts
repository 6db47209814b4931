import { join } from "node:path";
import { expect, test } from "vitest";
import {
  checkExampleTypes,
  longFirstExample,
  nonPortableExamples,
  readExamples,
  runExample,
} from "../src/documentation-examples.mjs";
import { scratchFolder } from "./scratch-folder.ts";

function prove(text: string): string[] {
  const root = scratchFolder({ "guide.md": text, "workshop/package.json": '{"type":"module"}' });
  const workshop = join(root, "workshop");
  const examples = readExamples(root, "guide.md");
  return [...checkExampleTypes(examples, workshop), ...examples.flatMap((example) => runExample(example, workshop))];
}

test("blocks that compile and run raise nothing", () => {
  expect(prove("```ts run\nconst a = await Promise.resolve(1);\nconsole.log(a);\n```\n")).toEqual([]);
});

test("a block that does not compile is named with its line in the document", () => {
  expect(prove('Text.\n\n```ts\nconst a = "one" * 2;\n```\n')).toEqual([
    expect.stringMatching(/guide\.md.*\(4,11\).*arithmetic/),
  ]);
});

test("a block marked run that throws is a problem; one that is not marked is not run", () => {
  const block = 'throw new Error("planted");';
  expect(prove(`\`\`\`ts run\n${block}\n\`\`\`\n`)).toEqual([expect.stringContaining("planted")]);
  expect(prove(`\`\`\`ts\n${block}\n\`\`\`\n`)).toEqual([]);
});

const unportable = (document: string, text: string): string[] =>
  nonPortableExamples(readExamples(scratchFolder({ [document]: text }), document));

test("an example with a type annotation or with syntax that Node 20 lacks is named with its line", () => {
  const text = "Text.\n\n```ts\nconst a = 1;\nconst b: number = a;\n```\n\n```ts\nawait using c = open();\n```\n";
  expect(unportable("guide.md", text)).toEqual([
    expect.stringMatching(/^guide\.md:5: this is not JavaScript that Node 20 runs: const b: number = a;/),
    expect.stringMatching(/^guide\.md:9: .*await using c/),
  ]);
  expect(unportable("guide.md", "```ts run\nimport { type A, b } from 'c';\n```\n")).toHaveLength(1);
  expect(unportable("guide.md", "```ts\nexport const a = (b = 1) => b?.toFixed() ?? '';\n```\n")).toEqual([]);
});

test("the first example of a README may have 15 lines, later ones may have more", () => {
  const block = (lines: number): string => `\`\`\`ts\n${"await 1;\n".repeat(lines)}\`\`\`\n`;
  const check = (text: string): string[] => longFirstExample(readExamples(scratchFolder({ "a.md": text }), "a.md"));
  expect(check(block(15) + block(16))).toEqual([]);
  expect(check(`Text.\n\n${block(16)}`)).toEqual([
    "a.md:4: the first example of a package has 16 lines; the limit is 15.",
  ]);
  expect(check("Text.\n")).toEqual([]);
});

test("a block of types only is allowed, except in documents for newcomers and where it should run", () => {
  const text = "```ts types\ninterface A { b: string }\n```\n";
  expect(unportable("guide.md", text)).toEqual([]);
  expect(unportable("README.md", text)).toEqual(["README.md:2: README.md must not contain blocks marked `types`."]);
  expect(unportable("guide.md", text.replace("types", "run types"))).toHaveLength(1);
});

test("an import that exists only as a type is a problem, because it does not load in JavaScript", () => {
  expect(prove('```ts\nimport { RequestListener } from "node:http";\nexport const a = 1;\n```\n')).toEqual([
    expect.stringMatching(/RequestListener/),
  ]);
});
