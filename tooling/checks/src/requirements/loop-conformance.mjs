// @ts-check

/** @import { Citation } from "./citations.mjs" */
/** @import { Requirement, Specification } from "./specification.mjs" */

/** Headings of the specification's checklist, reworded. */
const SECTIONS = new Map([
  ["9.1", "The loop"],
  ["9.2", "Profiles"],
  ["9.3", "Running tools"],
  ["9.4", "Environment"],
  ["9.5", "Truncation"],
  ["9.6", "Steering"],
  ["9.7", "Reasoning effort"],
  ["9.8", "System prompt"],
  ["9.9", "Subagents"],
  ["9.10", "Events"],
  ["9.11", "Failures"],
  ["9.12", "Parity of the providers"],
  ["9.13", "Smoke test"],
]);

/**
 * Renders docs/reference/loop-conformance.md: every item of the agent loop's checklist, and the tests that prove it. An
 * item that restates others is proved by their tests too.
 * @param {Specification} specification
 * @param {readonly Citation[]} citations
 * @returns {string}
 */
export function loopConformance({ requirements }, citations) {
  const twins = twinsOf(requirements);
  const sections = [...SECTIONS].flatMap(([section, heading]) => {
    const boxes = requirements.filter((requirement) => requirement.section === section);
    return [
      `## ${section} ${heading}`,
      "",
      "| Requirement | Text | Tests |",
      "| --- | --- | --- |",
      ...boxes.map((box) => renderBox(box, testsOf(twins.get(box.id) ?? [box.id], citations))),
      "",
    ];
  });
  return [
    "# Conformance of the agent loop",
    "",
    "<!-- Generated from the tests that cite requirement ids by `pnpm docs:update`. -->",
    "",
    "This page lists every item of the checklist in section 9 of the agent loop's specification, with the tests that prove the item.",
    "",
    ...sections,
  ].join("\n");
}

/**
 * Returns the equivalent ids of each id.
 * @param {readonly Requirement[]} requirements
 * @returns {Map<string, readonly string[]>}
 */
function twinsOf(requirements) {
  /** @type {Map<string, Set<string>>} */
  const twins = new Map(requirements.map(({ id }) => [id, new Set([id])]));
  for (const { id, sameAs } of requirements) {
    for (const twin of sameAs) {
      twins.get(id)?.add(twin);
      twins.get(twin)?.add(id);
    }
  }
  return new Map(Array.from(twins, ([id, ids]) => [id, [...ids]]));
}

/**
 * Returns the titles of the tests that cite one of the ids, by file.
 * @param {readonly string[]} ids
 * @param {readonly Citation[]} citations
 * @returns {Map<string, Set<string>>}
 */
function testsOf(ids, citations) {
  /** @type {Map<string, Set<string>>} */
  const tests = new Map();
  for (const { id, place, title } of citations) {
    if (!ids.includes(id)) continue;
    const path = place.replace(/:\d+$/, "");
    const titles = tests.get(path) ?? new Set();
    tests.set(path, titles.add(title ?? "a case of the contract kit"));
  }
  return tests;
}

/**
 * @param {Requirement} box
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests
 * @returns {string} a row of the table
 */
function renderBox({ id, level, text }, tests) {
  const isProved = tests.size > 0;
  const files = Array.from(tests, ([path, titles]) => {
    const quoted = Array.from(titles, (title) => `– ${title.replaceAll(/([<>*_|])/g, "\\$1")}`);
    return [`[\`${path}\`](../../${path})`, ...quoted].join("<br>");
  });
  const mark = isProved ? "x" : " ";
  const optional = level === "SHOULD" ? " (optional)" : "";
  return `| [${mark}] ${id}${optional} | ${text.replaceAll("|", "\\|")} | ${isProved ? files.join("<br>") : "none yet"} |`;
}
