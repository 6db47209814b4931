import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { BROWSER_ARGUMENTS, BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import { source as axe } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type LiveState, renderLivePage } from "../src/page/render-live-page.ts";
import { type EvalResults, summariseTrials } from "../src/results/eval-results.ts";
import { summarisePreferences } from "../src/results/preference-results.ts";
import { type AssertionResult, keyOf, type TrialOutcome, type TrialResult } from "../src/results/trial-result.ts";
import { writeResults } from "../src/results/write-results.ts";
import { createEvalView } from "../src/terminal/index.ts";
import { engineOf, evaluate, makeFolder, read } from "./evaluate.ts";

const HOSTILE = `"></svg></script><script>document.title="owned"</script><img src=x onerror="document.title=1">&\u202e`;

const PANEL = [`kind/judge ${HOSTILE}`, "strict/judge"];

/** An assertion of a panel: the strict judge refuses every fourth work that the kind one accepts. */
function judgedBy(isHit: boolean, number: number): AssertionResult {
  const verdicts = PANEL.map((model, index) => {
    const outcome = isHit && !(index === 1 && number % 4 === 0) ? ("PASS" as const) : ("FAIL" as const);
    const score = outcome === "PASS" ? 1 : 0;
    const criteria = [{ criterion: HOSTILE, score, reason: HOSTILE }];
    return { model, outcome, score, criteria, usage: { input_tokens: 100, cost_usd: 0.001 } };
  });
  const judge_skills = [{ name: `strict ${HOSTILE}`, source: HOSTILE }];
  return { kind: "rubric", expected: HOSTILE, outcome: isHit ? "PASS" : "FAIL", verdicts, judge_skills };
}

/** Comparisons that the first engine wins in most cases. One judge always prefers the first of two texts. */
const PREFERENCES = summarisePreferences(
  `Clear ${HOSTILE}`,
  Array.from({ length: 10 }, (_, number) => {
    const preferred = number === 9 ? ("tie" as const) : ("left" as const);
    const orders = [
      { first: "left" as const, preferred: "left" as const, reason: HOSTILE },
      { first: "right" as const, preferred: "right" as const, reason: HOSTILE },
    ];
    return {
      ...{ case_id: `case-${number}`, iteration: 1, left: `good ${HOSTILE}`, right: `bad ${HOSTILE}`, preferred },
      verdicts: [
        { model: PANEL[0] ?? "", preferred, is_position_biased: false, orders: [] },
        { model: PANEL[1] ?? "", preferred: "tie" as const, is_position_biased: true, orders },
      ],
    };
  }),
);

/** A trial whose outcome depends on its case: the second engine fails one of three. */
function trialOf(engine: string, number: number, iteration: number): TrialResult {
  const isHit = engine === "good" ? (number + iteration) % 7 !== 0 : (number + iteration) % 3 !== 0;
  const outcome: TrialOutcome = isHit ? "PASS" : "FAIL";
  return {
    ...{ case_id: `case-${number} ${HOSTILE}`, engine: `${engine} ${HOSTILE}`, iteration, outcome },
    ...(isHit ? {} : { reason: HOSTILE }),
    ...{
      run_id: `${engine}-${number}-${iteration}`,
      assertions: [judgedBy(isHit, number)],
      artifacts: [],
      warnings: [HOSTILE],
    },
    ...{ usage: { input_tokens: 1_000, output_tokens: 10, cost_usd: engine === "good" ? 0.04 : 0.01 } },
    ...{ earlier_attempts: [], duration_ms: 4_000, final_message: HOSTILE },
  };
}

const TRIALS = [1, 2].flatMap((iteration) =>
  Array.from({ length: 10 }, (_, number) => [
    trialOf("good", number, iteration),
    trialOf("bad", number, iteration),
  ]).flat(),
);

function resultsOf(trials: TrialResult[], started_at = "2026-01-01T00:00:00.000Z"): EvalResults {
  const times = { started_at, finished_at: "2026-01-01T00:05:00.000Z" };
  return summariseTrials({
    name: `suite ${HOSTILE}`,
    ...times,
    warnings: [HOSTILE],
    trials,
    preferences: PREFERENCES,
    isInterrupted: false,
  });
}

const LIVE: LiveState = {
  ...{ name: `suite ${HOSTILE}`, startedAt: 1_000, now: 61_000, planned: TRIALS, reused: 0, concurrency: 2 },
  finished: TRIALS.slice(0, 20),
  running: new Map(TRIALS.slice(20, 22).map((trial) => [keyOf(trial), { trial, startedAt: 58_000 }])),
  mayStopEarly: false,
};

describe("page of a running evaluation", () => {
  test("report.html shows progress, running trials and results so far, and then the report", async () => {
    const seen: string[] = [];
    const output = await makeFolder();
    const engine = engineOf(async () => {
      const isShown = (page: string): boolean =>
        page.includes(`<b>${seen.length}</b> of 2 runs`) && page.includes("<b>1</b> running");
      let page = "";
      while (!isShown(page)) {
        page = await read(output, "report.html").catch(() => "");
        await setTimeout(50);
      }
      seen.push(page);
      return "ok";
    });
    await evaluate("engines: [e]\ncases: [{ id: a, prompt: x }, { id: b, prompt: x }]", { e: engine }, { output });
    expect(seen[0]).toContain("time left: known after the first run");
    expect(seen[1]).toContain("a few seconds left");
    expect(seen[1]).toMatch(/<section id="running">.*\n.*\n<tbody><tr><th scope="row" dir="auto">b</);
    const report = await read(output, "report.html");
    expect(report).toContain("Everything passed.");
    expect(report).not.toContain("location.reload");
    expect((await readdir(output)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a suite without HTML reports has no page", async () => {
    const yaml = "engines: [e]\nreport: { formats: [json] }\ncases: [{ id: a, prompt: x }]";
    const { output } = await evaluate(yaml, { e: engineOf(async () => "ok") });
    expect(await readdir(output)).not.toContain("report.html");
  });

  test("the terminal names the page at the start", () => {
    const printed: string[] = [];
    const closed = new AbortController().signal;
    const write = (text: string): void => void printed.push(text);
    const stdout = { isTerminal: false, hasColour: false, columns: 80, write, closed, readerGone: closed };
    const suite = { name: "s", cases: [], variants: [], engines: [], iterations: 1, concurrency: 1 };
    const terminal = { stdout: { ...stdout, flushed: () => Promise.resolve() }, env: {}, now: () => 0 };
    const show = (reportFormats?: ["json"]): void =>
      createEvalView(terminal, { isSilent: false, output: "/out", suite: { ...suite, reportFormats } }).show({
        ...{ type: "eval_started", total: 1, reused: 0 },
      });
    show();
    expect(printed).toContain("Watch it in a browser: /out/report.html\n");
    printed.length = 0;
    show(["json"]);
    expect(printed.join("")).not.toContain("browser");
  });

  test("the time left counts waiting and running trials", () => {
    // 18 waiting trials of 4 s and two that have run for 3 s of 4 s, two at a time: 37 s.
    expect(renderLivePage(LIVE)).toContain("<span>about 40 s left</span>");
    expect(renderLivePage({ ...LIVE, mayStopEarly: true })).toContain("<span>at most about 40 s left</span>");
    expect(renderLivePage(LIVE)).toMatch(/…<\/span> running<\/span>.*·<\/span> waiting<\/span>/u);
  });
});

describe("history", () => {
  test("each evaluation of a folder adds an entry, and a resumed one replaces its own", async () => {
    const output = await makeFolder();
    const lines = async (): Promise<string[]> => (await read(output, "history.jsonl")).trim().split("\n");
    await writeResults(output, resultsOf(TRIALS));
    expect(await read(output, "report.html")).not.toContain('<section id="history">');
    const resumed = TRIALS.map((trial, index) => (index === 0 ? trial : { ...trial, run_id: `again-${index}` }));
    await writeResults(output, resultsOf(resumed));
    expect(await lines()).toHaveLength(1);
    const better = TRIALS.map((trial, index) => ({ ...trial, run_id: `new-${index}`, outcome: "PASS" as const }));
    await writeFile(
      join(output, "history.jsonl"),
      `${(await lines()).join("\n")}\nbroken {\n{"format":1,"cells":[{}]}\n`,
    );
    await writeResults(output, resultsOf(better, "2026-01-02T00:00:00.000Z"));
    expect(await lines()).toHaveLength(2);
    const page = await read(output, "report.html");
    expect(page).toContain('aria-label="50 %, 100 %"');
    expect(page).toContain('<span class="change pass">+50</span>');
    expect(page).toMatch(/\d+ of 10 cases changed in 2 evaluations/);
  });
});

let browser: Promise<Browser> | undefined;
afterAll(async () => {
  await (await browser)?.close();
});

/** Opens a page that must run only its own script, and fails if it loads anything else. */
async function openPage(path: string, options: { colorScheme: "light" | "dark"; width: number }): Promise<Page> {
  browser ??= chromium.launch({ args: BROWSER_ARGUMENTS, executablePath: BROWSER_PATH ?? "" });
  const { colorScheme, width } = options;
  const context = await (await browser).newContext({ colorScheme, viewport: { width, height: 860 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const url = pathToFileURL(path).href;
  page.on("request", (request) => expect(request.url()).toBe(url));
  page.on("console", (message) => expect.fail(message.text()));
  page.on("pageerror", (error) => expect.fail(String(error)));
  await page.goto(url);
  return page;
}

async function problemsOf(page: Page): Promise<unknown> {
  expect(await page.title()).toContain("<script>");
  expect(await page.evaluate("document.querySelectorAll('img, iframe').length")).toBe(0);
  expect(await page.evaluate("document.querySelectorAll('script').length")).toBe(1);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  return await page.evaluate(
    `${axe}; axe.run().then(({ violations }) => violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html).join(" ").slice(0, 300)))`,
  );
}

describe("in a browser", () => {
  beforeEach(({ skip }) => skip(BROWSER_PATH === undefined, NO_BROWSER));

  test("the report is accessible in both colour schemes and widths, and hostile texts stay texts", async () => {
    const output = await makeFolder();
    await writeResults(output, resultsOf(TRIALS.map((trial) => ({ ...trial, run_id: `old-${trial.run_id}` }))));
    await writeResults(output, resultsOf(TRIALS));
    const path = join(output, "report.html");
    for (const [colorScheme, width] of [
      ["light", 390],
      ["dark", 1_440],
    ] as const) {
      const page = await openPage(path, { colorScheme, width });
      await page.evaluate(
        "document.querySelectorAll('.more, .run:first-of-type').forEach((one) => { one.open = true; })",
      );
      expect(await problemsOf(page)).toEqual([]);
    }
    for (const part of ["differences", "cost", "preferences", "judges", "cases", "flaky", "history", "runs"])
      expect(await read(output, "report.html")).toContain(`<section id="${part}">`);
    const report = await read(output, "report.html");
    expect(report).toContain('aria-label="wins 9, ties 1, losses 0"');
    expect(report).toMatch(/<span class="finding">the judges (?:do not )?agree(?: in part)? \(α = 0\.\d\d\)/u);
    expect(report).toContain('strict/judge</th><td class="number">10</td><td class="number">10</td>');
  });

  test("a mark opens its run with the keyboard, and the search finds runs", async () => {
    const output = await makeFolder();
    await writeResults(output, resultsOf(TRIALS));
    const page = await openPage(join(output, "report.html"), { colorScheme: "light", width: 1_000 });
    await page.locator(".matrix a.mark").nth(3).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction("document.activeElement?.tagName === 'SUMMARY'");
    expect(await page.evaluate("document.activeElement.parentElement.open")).toBe(true);
    expect(await page.evaluate("document.activeElement.parentElement.querySelector('.body').id")).toBe(
      (await page.locator(".matrix a.mark").nth(3).getAttribute("href"))?.slice(1),
    );
    await page.fill("#search", "case-3 bad");
    expect(await page.locator(".run:visible").count()).toBe(2);
    expect(await page.textContent("#none")).toBe("2 runs found");
    await page.fill("#search", "");
    await page.check("#show-failed");
    expect(await page.locator(".run:visible").count()).toBe(TRIALS.filter(({ outcome }) => outcome === "FAIL").length);
  });

  test("the page of a running evaluation is accessible, reloads itself, and shows a warning if it is no longer updated", async () => {
    const path = join(await makeFolder(), "report.html");
    await writeFile(path, renderLivePage({ ...LIVE, startedAt: Date.now() - 60_000, now: Date.now() }));
    const page = await openPage(path, { colorScheme: "dark", width: 390 });
    // The script of the page must not reload it while axe runs.
    await page.evaluate("for (let id = 1; id < 100; id += 1) clearInterval(id)");
    expect(await problemsOf(page)).toEqual([]);
    expect(await page.isHidden("#stale")).toBe(true);
    await page.reload();
    await writeFile(path, renderLivePage({ ...LIVE, now: Date.now() - 300_000 }));
    await page.waitForSelector("#stale:not([hidden])", { timeout: 60_000 });
    expect(await page.textContent("#stale")).toContain("No update for 5 min");
    expect(await readFile(path, "utf8")).not.toContain("p-value");
  });
});
