import { join } from "node:path";
import { expect, test } from "vitest";
import { compileExamples, readExamples, runExample } from "../src/documentation-examples.mjs";
import { scratchFolder } from "./scratch-folder.ts";

function prove(text: string): string[] {
  const root = scratchFolder({ "guide.md": text, "workshop/package.json": '{"type":"module"}' });
  const workshop = join(root, "workshop");
  const examples = readExamples(root, "guide.md");
  return [...compileExamples(examples, workshop), ...examples.flatMap((example) => runExample(example, workshop))];
}

test("blocks that compile and run raise nothing", () => {
  expect(prove("```ts run\nconst a: number = await Promise.resolve(1);\nconsole.log(a);\n```\n")).toEqual([]);
});

test("a block that does not compile is named with its line in the document", () => {
  expect(prove('Text.\n\n```ts\nconst a: number = "one";\n```\n')).toEqual([
    expect.stringMatching(/guide\.md.*\(4,7\).*not assignable/),
  ]);
});

test("a block marked run that throws is a problem; one that is not marked is not run", () => {
  const block = 'throw new Error("planted");';
  expect(prove(`\`\`\`ts run\n${block}\n\`\`\`\n`)).toEqual([expect.stringContaining("planted")]);
  expect(prove(`\`\`\`ts\n${block}\n\`\`\`\n`)).toEqual([]);
});
