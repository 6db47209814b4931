import { expect, test } from "vitest";
import { findCitations } from "../src/requirements/citations.mjs";
import { judgeCoverage, renderCoverage } from "../src/requirements/requirement-coverage.mjs";
import { readSpecification } from "../src/requirements/specification.mjs";

function specification(header = "enforced: false") {
  return readSpecification(
    "loop.yaml",
    `specification: loop
prefix: loop
package: agent
${header}
requirements:
  - { id: loop-1-1, section: "1", level: MUST, text: First. }
  - { id: loop-1-2, section: "1", level: MUST, text: Second., same_as: [loop-1-1] }
  - { id: loop-2-1, section: "2", level: MUST, text: Third., package: runner }
  - { id: loop-2-2, section: "2", level: SHOULD, text: Fourth. }
`,
  );
}

test("ids are read from titles of tests and cases, several at once, and from nothing else", () => {
  const text = [
    'test("cuts characters [loop-5.3-1, loop-5.3-2]", () => {});',
    'test.for([1])("counts %s [engine-board-3]", () => {});',
    '{ title: "ends once [engine-bus-1]", run() {} },',
    'test.each([[call("a")]])("a table of calls [engine-bus-2]", () => {});',
    'test.each([{ title: "of a table [engine-bus-4]" }])("$title", () => {});',
    'describe.each(Object.entries(PLACES))("a place [engine-bus-3]", () => {});',
    "const list = [loop-9-9];",
    "// mentions [loop-8-8]",
  ].join("\n");
  expect(findCitations("a.test.ts", text)).toEqual([
    { id: "loop-5.3-1", place: "a.test.ts:1", title: "cuts characters" },
    { id: "loop-5.3-2", place: "a.test.ts:1", title: "cuts characters" },
    { id: "engine-board-3", place: "a.test.ts:2", title: "counts %s" },
    { id: "engine-bus-1", place: "a.test.ts:3", title: "ends once" },
    { id: "engine-bus-2", place: "a.test.ts:4", title: "a table of calls" },
    { id: "engine-bus-4", place: "a.test.ts:5", title: "of a table" },
    { id: "engine-bus-3", place: "a.test.ts:6", title: "a place" },
  ]);
});

test("ids are read from contract cases, one or several, and promises are left out", () => {
  const text = [
    '{ id: "engine/x", requirement: "engine-engine-7", title: "Closes nothing", check() {} },',
    '{ requirement: ["engine-bus-1", "D8", "engine-run-resume-from-4"], title: "Comes in order" },',
    "{",
    "  requirement: [",
    '    "engine-board-1",',
    '    "engine-board-2",',
    "  ],",
    '  title: "Two more [loop-1-1]",',
    "}",
    '{ requirement: "D6" }',
    "// requirement by engine-board-9",
  ].join("\n");
  expect(findCitations("cases.ts", text)).toEqual([
    { id: "engine-engine-7", place: "cases.ts:1" },
    { id: "engine-bus-1", place: "cases.ts:2" },
    { id: "engine-run-resume-from-4", place: "cases.ts:2" },
    { id: "engine-board-1", place: "cases.ts:4" },
    { id: "engine-board-2", place: "cases.ts:4" },
    { id: "loop-1-1", place: "cases.ts:8", title: "Two more" },
  ]);
});

test("a citation counts for the entries that say the same", () => {
  const { coverages, problems } = judgeCoverage([specification()], [{ id: "loop-1-2", place: "a:1" }]);
  expect(problems).toEqual([]);
  expect(coverages).toMatchObject([{ musts: 3, uncited: [{ id: "loop-2-1" }] }]);
  expect(renderCoverage(coverages)).toContain("2 of 3 MUSTs cited");
});

test("an unknown id is a problem", () => {
  const { problems } = judgeCoverage([specification()], [{ id: "loop-7-7", place: "a:1" }]);
  expect(problems).toEqual(["a:1 cites loop-7-7, which spec/ does not know."]);
});

test("an uncited MUST is a problem once its specification or its package is enforced", () => {
  expect(judgeCoverage([specification("enforced: true")], []).problems).toHaveLength(3);
  expect(judgeCoverage([specification("enforced_packages: [runner]")], []).problems).toEqual([
    "No test cites loop-2-1: Third.",
  ]);
});

test("a file that is not of the form is refused", () => {
  expect(() => readSpecification("x.yaml", "specification: x\n")).toThrow("prefix is missing");
});
