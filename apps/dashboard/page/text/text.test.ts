import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_QUERY, GROUPS, PERIOD_ORDER, rangeOf, toListOptions } from "../runs/runs-query.ts";
import { formatAgo, formatBytes, formatCost, formatSpan, spanOf } from "./format.ts";
import { hrefOfComparison, hrefOfRun, hrefOfRuns, parseRoute, RUN_TABS } from "./href.ts";
import { plainLine, plainText } from "./plain-text.ts";

test("terminal control sequences and invisible characters are removed", () => {
  expect(plainText("\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link")).toBe("red link");
  expect(plainText("a\u202eb\u200bc\u0000")).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩");
  expect(plainText("\u{e0041}\u00ad\u200b\u3164\u206a")).toBe("⟨U+E0041⟩⟨U+00AD⟩⟨U+200B⟩⟨U+3164⟩⟨U+206A⟩");
  expect(plainText("one\r\n\ttwo")).toBe("one\n\ttwo");
  expect(plainLine("  a\n\n b ")).toBe("a b");
});

test("emoji sequences, and scripts that use joiners, stay unchanged", () => {
  for (const text of ["👩‍💻 👩🏽‍🚀 🏳️‍🌈 👨‍👩‍👧", "می\u200cخواهم", "क्\u200dष"]) expect(plainText(text)).toBe(text);
  expect(plainText("pay\u200dpal 1\u200c2 \u200d👩")).toBe("pay⟨U+200D⟩pal 1⟨U+200C⟩2 ⟨U+200D⟩👩");
});

test("no text contains a character that reorders or moves other text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that control characters are absent.
      expect(plainText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});

test("addresses parse back to their parts", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      fc.constantFrom(...RUN_TABS),
      (left, right, tab) => {
        expect(parseRoute(hrefOfRun(left, tab))).toEqual({ view: "run", runId: left, tab });
        expect(parseRoute(hrefOfComparison(left, right))).toEqual({ view: "compare", left, right });
      },
    ),
  );
  for (const hash of ["", "#", "#/", "#/runs", "#/what", "#/compare/a", "#/%"])
    expect(parseRoute(hash)).toEqual({ view: "runs", query: EMPTY_QUERY });
  expect([parseRoute("#/board"), parseRoute("#/trends")]).toEqual([{ view: "board" }, { view: "trends" }]);
});

test("search, filters, order and page of the list are stored in the URL", () => {
  const query = fc.record({
    search: fc.string(),
    group: fc.constantFrom(...GROUPS),
    engine: fc.string(),
    owner: fc.string(),
    period: fc.constantFrom(...PERIOD_ORDER),
    sort: fc.constantFrom("-created" as const, "cost" as const, "-duration" as const),
    page: fc.integer({ min: 2, max: 1_000 }),
    cursor: fc.string({ minLength: 1 }),
  });
  fc.assert(
    fc.property(query, (query) => {
      expect(parseRoute(hrefOfRuns(query))).toEqual({ view: "runs", query });
    }),
  );
  expect(hrefOfRuns()).toBe("#/runs");
  // A page without its cursor cannot be requested, so it is the first one.
  expect(parseRoute("#/runs?page=3&sort=name&status=odd&period=1y")).toEqual({ view: "runs", query: EMPTY_QUERY });
});

test("a query is converted to list options, with the period as a time in whole minutes", () => {
  const nowMs = Date.parse("2026-03-02T10:20:30.400Z");
  const query = { ...EMPTY_QUERY, search: " login ", group: "waiting", period: "24h", engine: "codex" } as const;
  expect(toListOptions(query, nowMs)).toEqual({
    ...{ limit: 50, sort: "-created", search: "login", status: ["awaiting_input"], engine: "codex" },
    since: "2026-03-01T10:20:00.000Z",
  });
  expect(rangeOf({ ...query, page: 3 }, 50, 12_345)).toBe("101–150 of 12,345");
});

test("a run's duration starts with the run and grows until it ends", () => {
  const [started_at, finished_at] = ["2026-01-01T00:00:10.000Z", "2026-01-01T00:00:14.200Z"];
  const now = Date.parse("2026-01-01T00:00:15.000Z");
  expect([{}, { finished_at }, { started_at }, { started_at, finished_at }].map((run) => spanOf(run, now))).toEqual([
    "",
    "",
    "5.0 s",
    "4.2 s",
  ]);
});

test("times, sizes and costs are formatted briefly", () => {
  expect([0, 999, 4_200, 185_000, 7_800_000].map(formatSpan)).toEqual([
    "0 ms",
    "999 ms",
    "4.2 s",
    "3 min 5 s",
    "2 h 10 min",
  ]);
  expect([5, 2_048, 5 * 1_024 ** 2].map(formatBytes)).toEqual(["5 B", "2.0 KB", "5.0 MB"]);
  expect([0, 1_200, 2_500_000].map(formatCost)).toEqual(["$0.00", "$0.0012", "$2.50"]);
  const at = "2026-01-01T00:00:00.000Z";
  const from = Date.parse(at);
  expect([5_000, 300_000, 7_200_000, 10 * 86_400_000].map((ms) => formatAgo(at, from + ms))).toEqual([
    "just now",
    "5 min ago",
    "2 h ago",
    "2026-01-01",
  ]);
});
