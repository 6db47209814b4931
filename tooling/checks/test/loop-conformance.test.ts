import { expect, test } from "vitest";
import { loopConformance } from "../src/requirements/loop-conformance.mjs";
import { readSpecification } from "../src/requirements/specification.mjs";

const LOOP = readSpecification(
  "loop.yaml",
  `specification: loop
prefix: loop
package: agent
requirements:
  - { id: loop-2.1-1, section: "2.1", level: MUST, text: Not in the checklist. }
  - { id: loop-9.1-1, section: "9.1", level: MUST, text: First., same_as: [loop-2.1-1] }
  - { id: loop-9.1-2, section: "9.1", level: MUST, text: Second. }
  - { id: loop-9.12-1, section: "9.12", level: SHOULD, text: Third. }
`,
);

function boxesOf(page: string): string[] {
  return page.split("\n").flatMap((line) => /^\| (\[.\] \S+(?: \(optional\))?) \|/.exec(line)?.[1] ?? []);
}

test("a box is ticked by a test that cites it or the entry it restates, and by nothing else", () => {
  const page = loopConformance(LOOP, [
    { id: "loop-2.1-1", place: "packages/agent/src/a.test.ts:7", title: "sessions have *ids*" },
    { id: "loop-9.12-1", place: "packages/agent/src/b.test.ts:1" },
  ]);
  expect(boxesOf(page)).toEqual(["[x] loop-9.1-1", "[ ] loop-9.1-2", "[x] loop-9.12-1 (optional)"]);
  expect(page).toContain(
    "| First. | [`packages/agent/src/a.test.ts`](../../packages/agent/src/a.test.ts)<br>– sessions have \\*ids\\* |",
  );
  expect(page).toContain("| Second. | none yet |");
  expect(page).not.toContain("Not in the checklist.");
});

test("the page does not change when a test only moves within its file", () => {
  const [before, after] = [3, 9].map((line) =>
    loopConformance(LOOP, [{ id: "loop-9.1-2", place: `packages/agent/src/a.test.ts:${line}`, title: "goes on" }]),
  );
  expect(after).toBe(before);
});
