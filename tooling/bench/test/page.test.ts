import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { plainFigure, ratioFigure } from "../src/figure/figure.mjs";
import { readAttributions } from "../src/report/attributions.mjs";
import { missesOf } from "../src/report/misses.mjs";
import { renderPage } from "../src/report/render-page.mjs";
import { readResults, withSections } from "../src/report/results.mjs";
import { TARGETS, targetOf } from "../src/targets.mjs";

const WHERE = { title: "Rounds", load: 1, date: "2026-11-29", node: "20.20.2", processors: 2 };
const MISSED = ratioFigure({ name: "a round", unit: "µs", target: targetOf("round-1000") }, [3], {
  name: "pi",
  values: [4],
});
const MET = plainFigure({ name: "flushes", unit: "", target: { exactly: 2 } }, 2);

test("the page contains the stored results", async () => {
  const results = readResults(new URL("../results.json", import.meta.url));
  const stored = await readFile(new URL("../../../docs/reference/performance.md", import.meta.url), "utf8");
  const page = renderPage({ results, targets: TARGETS, attributions: readAttributions() });
  expect(stored, "run `pnpm docs:update` to write docs/reference/performance.md").toBe(page);
});

test("every target of the stored results is one of the table", () => {
  const { areas } = readResults(new URL("../results.json", import.meta.url));
  const figures = Object.values(areas).flatMap((sections) => sections.flatMap((section) => section.figures));
  const ids = figures.flatMap(({ target }) => target?.id ?? []);
  expect(ids.filter((id) => !(id in TARGETS))).toEqual([]);
  expect(ids.length).toBe(new Set(ids).size);
});

test("a missed target is listed with its measured ratio, and marked in the table of targets", () => {
  const results = { areas: { loop: [{ ...WHERE, section: "rounds", figures: [MISSED, MET] }] } };
  const page = renderPage({ results, targets: TARGETS, attributions: [] });
  expect(page).toContain("| `loop rounds` | a round | <= 0.5 | 0.75 | not attributed |");
  expect(page).toContain(`| ${TARGETS["round-1000"]?.what} | <= 0.5 | 0.75 | **missed** |`);
  expect(page).toContain(`| ${TARGETS["delta"]?.what} | <= 0.7 |  | not measured |`);
});

test("only an attribution of at least 80 percent of the gap excuses a miss", () => {
  const attribution = { target: "round-1000", dependency: "undici 7", profile: "profile.md" };
  const unattributed = (share: number) =>
    missesOf([{ figures: [MISSED, MET] }], [{ ...attribution, share }]).unattributed.map(({ name }) => name);
  expect(unattributed(0.79)).toEqual(["a round"]);
  expect(unattributed(0.8)).toEqual([]);
});

test("results of a section replace the earlier ones of the same section only", () => {
  const [first, second] = ["rounds", "deltas"].map((section) => ({ ...WHERE, section, figures: [MISSED] }));
  if (first === undefined || second === undefined) throw new Error("two sections are expected");
  const stored = { areas: { loop: [first, second], cli: [first] } };
  const again = { ...first, load: 2 };
  expect(withSections(stored, "loop", [again])).toEqual({ areas: { loop: [again, second], cli: [first] } });
});
