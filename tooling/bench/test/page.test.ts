import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Figure } from "../src/figure/figure.mjs";
import { plainFigure, ratioFigure, verdictOf } from "../src/figure/figure.mjs";
import { readAttributions } from "../src/report/attributions.mjs";
import { missesOf } from "../src/report/misses.mjs";
import { renderPage } from "../src/report/render-page.mjs";
import { readResults, storeResults, withSections } from "../src/report/results.mjs";
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
  expect(page).toContain("| `loop rounds` | a round | <= 0.5 | 0.75 | 0.75 to 0.75 in 1 | MISSED | not attributed |");
  expect(page).toContain(`| ${TARGETS["round-1000"]?.what} | <= 0.5 | 0.75 | **missed** |`);
  expect(page).toContain(`| ${TARGETS["delta"]?.what} | <= 0.7 |  | not measured |`);
});

test("a missed target that no dependency explains is listed with the parts of the gap in a stored profile", () => {
  const missed = ratioFigure({ name: "CPU", unit: "us", target: { atMost: 1 } }, [8], { name: "bullmq", values: [1] });
  const shares = [60, 40].map((percent, index) =>
    plainFigure({ name: `share of ${index === 0 ? "dependencies" : "this repository"}`, unit: "%" }, percent),
  );
  const profile = { ...WHERE, section: "runs-profile", title: "Parts of the gap", explains: "CPU", figures: shares };
  const results = { areas: { fanout: [{ ...WHERE, section: "runs", figures: [missed] }, profile] } };
  const page = renderPage({ results, targets: TARGETS, attributions: [] });
  const parts = "[dependencies 60 %, this repository 40 %](#parts-of-the-gap-runs-profile)";
  expect(page).toContain(`| MISSED | no dependency causes enough: ${parts} |`);
  expect(page).toContain("### Parts of the gap (runs-profile)");
});

test("a target is undecided if the ratios of the repetitions are on both sides of it", () => {
  const yardstick = { name: "pi", values: [10, 10, 10] };
  const label = { name: "a round", unit: "µs", target: targetOf("round-1000") };
  const [met, missed] = [ratioFigure(label, [1, 4, 6], yardstick), ratioFigure(label, [4, 6, 7], yardstick)];
  expect([met, missed].map(verdictOf)).toEqual(["undecided", "undecided"]);
  expect([ratioFigure(label, [1, 4, 5], yardstick), MISSED, MET].map(verdictOf)).toEqual(["met", "missed", "met"]);
  expect(verdictOf(plainFigure({ name: "memory", unit: "MB" }, 1))).toBeUndefined();
  const pageOf = (figure: Figure) => {
    const results = { areas: { loop: [{ ...WHERE, section: "rounds", figures: [figure] }] } };
    return renderPage({ results, targets: TARGETS, attributions: [] });
  };
  expect(pageOf(met)).toContain("| <= 0.5 | 0.4 | undecided, median meets |");
  expect(pageOf(missed)).toContain("| <= 0.5 | 0.6 | 0.4 to 0.7 in 3 | undecided, median misses | not attributed |");
});

test("the page lists sections without stored figures", () => {
  const results = { areas: { loop: [{ ...WHERE, section: "rounds", figures: [MISSED] }] } };
  const page = renderPage({ results, targets: TARGETS, attributions: [] });
  expect(page).toContain("| `cli` | `start`, `turns` |");
  expect(page).toContain("| `loop` | `deltas`, `burst`, `sessions`, `requests` |");
});

test("stored results name the measured commit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bench-page-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "results.json");
  storeResults(path, "loop", [{ section: "rounds", title: "Rounds", load: 1, figures: [MISSED] }]);
  const results = readResults(path);
  const commit = results.areas["loop"]?.[0]?.commit;
  const head = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" });
  // Both are empty in a copy of the repository without git.
  expect(commit ?? "").toMatch(new RegExp(`^${head.stdout.trim()}( with uncommitted changes)?$`));
  expect(renderPage({ results, targets: TARGETS, attributions: [] })).toContain(`Commit: ${commit ?? "not recorded"}.`);
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
