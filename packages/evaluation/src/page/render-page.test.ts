import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EvalResults, summariseTrials } from "../results/eval-results.ts";
import { renderJunit } from "../results/render-junit.ts";
import type { TrialResult } from "../results/trial-result.ts";
import { renderPage } from "./render-page.ts";

const EVIL = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\u0000 javascript:alert(1)`;
let output = "";

beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), "eval-"));
  await mkdir(join(output, "runs/r1"), { recursive: true });
  const transcript = [
    { role: "user", content: EVIL },
    {
      role: "assistant",
      content: EVIL,
      turn: 1,
      tool_calls: [{ id: "1", name: EVIL, arguments: EVIL }],
    },
    { role: "tool", content: "", tool_result: { call_id: "1", status: "error", content: EVIL } },
    ...Array.from({ length: 60 }, (_, index) => ({ role: "assistant", content: `${index} ${"long ".repeat(2_000)}` })),
    { role: "assistant", content: "the very last" },
  ];
  const result = { exit_code: 0, final_message: EVIL, stderr: EVIL, transcript };
  await writeFile(join(output, "runs/r1/report.json"), JSON.stringify({ result, workspaceDiff: `+${EVIL}\n-b` }));
});

afterAll(() => rm(output, { recursive: true }));

const TRIAL: TrialResult = {
  ...{ case_id: EVIL, variant: EVIL, engine: EVIL, iteration: 1, outcome: "FAIL", reason: EVIL, model: EVIL },
  error: { code: "engine.failed", class: "internal", message: EVIL, remedy: EVIL, retryable: false },
  assertions: [{ kind: "command", expected: EVIL, outcome: "FAIL", reason: EVIL, output: EVIL }],
  ...{
    run_id: "r1",
    run_folder: "runs/r1",
    workspace: "workspaces/r1",
    final_message: EVIL,
    stderr: EVIL,
    status: "completed",
  },
  ...{ usage: {}, warnings: [EVIL], earlier_attempts: [{ run_id: "r0", reason: EVIL, usage: {} }] },
  artifacts: [
    { name: EVIL, path: `runs/r1/artifacts/a "b"?#%.html`, bytes: 7 },
    { name: EVIL, dropped: EVIL },
  ],
};

function resultsOf(trials: TrialResult[]): EvalResults {
  const times = { started_at: "2026-01-01T00:00:00.000Z", finished_at: "2026-01-01T00:01:05.000Z" };
  return summariseTrials({ name: EVIL, ...times, warnings: [EVIL], trials, isInterrupted: false });
}

async function pageOf(trials: TrialResult[]): Promise<string> {
  let page = "";
  for await (const piece of renderPage(resultsOf(trials), output)) page += piece;
  return page;
}

test("engine output is escaped, and only the page's own script can run", async () => {
  const page = await pageOf([TRIAL]);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/<img|(?:src|href)="[^"]*javascript:/);
  expect(page).not.toMatch(/[\u202e\0]/);
  expect(page.split("&lt;/script&gt;").length).toBeGreaterThan(15);
  // Untrusted text created no tags other than the page's own.
  const tags = new Set([...page.matchAll(/<\/?([a-zA-Z][\w-]*)/g)].map(([, name]) => name));
  for (const tag of ["img", "iframe", "object", "base", "form"]) expect(tags).not.toContain(tag);
  // Untrusted text did not close an attribute: every quote belongs to a complete attribute.
  for (const [tag] of page.slice(page.indexOf("<body>")).matchAll(/<[a-z][^>]*>/g)) {
    expect(tag.replace(/ [\w:-]+="[^"<>]*"/g, "")).toMatch(/^<[a-z0-9]+( [\w-]+)*\/?>$/);
  }
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-/);
  expect(page).not.toMatch(/(?:src|href)="(?!#|runs\/|workspaces\/)/);
});

test("Markdown of messages is rendered, and only web and mail addresses are links", async () => {
  const final_message =
    "## Done\n\n**Two** files:\n\n- `a.ts`\n- [x] b\n\n| A | B |\n|---|---|\n| 1 | <i>2</i> |\n\n```js\nlet x;\n```\n\n" +
    '[docs](https://example.org/a?b="c") [bad](javascript:alert(1)) [worse](data:text/html,x) [file](../../etc) ![pixel](https://evil.example/p.png)';
  const page = await pageOf([{ ...TRIAL, run_id: undefined, run_folder: undefined, final_message }]);
  const shown = page.slice(page.indexOf("Final message"));
  expect(shown).toContain(
    "<p><b>Done</b></p><p><strong>Two</strong> files:</p><ul><li><code>a.ts</code></li><li>☑ b</li></ul>",
  );
  expect(shown).toContain("<tr><td>1</td><td>&lt;i&gt;2&lt;/i&gt;</td></tr>");
  expect(shown).toContain('<pre dir="auto"><code>let x;</code></pre>');
  const links = [...shown.matchAll(/<a href="(h[^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href, text]) => [href, text]);
  expect(links).toEqual([
    ["https://example.org/a?b=%22c%22", "docs"],
    ["https://evil.example/p.png", "pixel"],
  ]);
  expect(shown).toContain("[bad](javascript:alert(1))");
  expect(page).not.toMatch(/<img|<i>/);
});

test("deeply nested Markdown is shown as source", async () => {
  const final_message = `${">".repeat(30_000)}deep`;
  const page = await pageOf([{ ...TRIAL, run_id: undefined, run_folder: undefined, final_message }]);
  expect(page).toContain(`<pre dir="auto">${"&gt;".repeat(30_000)}deep</pre>`);
});

test("transcripts, artifacts and reports are linked, whatever characters their names contain", async () => {
  const page = await pageOf([TRIAL]);
  expect(page).toContain('href="runs/r1/artifacts/a%20%22b%22%3F%23%25.html"');
  for (const link of [
    "runs/r1/report.json",
    "runs/r1/events.jsonl",
    "runs/r1/",
    "workspaces/r1/",
    "runs/r0/report.json",
  ]) {
    expect(page).toContain(`href="${link}"`);
  }
  expect(page).toContain('href="#run-0"');
  expect(page).toContain('id="run-0"');
  expect(page).toContain("Transcript, 64 messages");
  expect(page).toContain("the very last");
  expect(page).toMatch(/… \d+ more messages are in the report …/);
  expect(page.length).toBeLessThan(400_000);
});

test("an unknown value is never shown as 0", async () => {
  const page = await pageOf([{ ...TRIAL, engine: "e", variant: undefined }]);
  expect(page).toContain('<td class="number">unknown</td><td class="number">unknown</td></tr>');
  expect(page).not.toContain("$0");
  const known = await pageOf([
    { ...TRIAL, usage: { input_tokens: 1_500, output_tokens: 500, cost_usd: 0.25 } },
    { ...TRIAL, iteration: 2 },
  ]);
  expect(known).toContain('<td class="number">at least 1,000</td><td class="number">at least $0.1250</td></tr>');
});

test("engines are compared by means over the executed runs, and one without runs has unknown values", async () => {
  const { run_id: _, ...notRun } = { ...TRIAL, variant: undefined, model: undefined, earlier_attempts: [], usage: {} };
  const ran = (engine: string, tokens: number, cost_usd: number): TrialResult => ({
    ...{ ...notRun, engine, run_id: "r1", outcome: "PASS", duration_ms: 2_000 },
    usage: { input_tokens: tokens, output_tokens: 0, cost_usd },
  });
  const page = await pageOf([
    ...[ran("one", 1_000, 0.1), ran("one", 3_000, 0.3), { ...notRun, engine: "one", outcome: "SKIPPED" as const }],
    ...[ran("two", 500, 0.05), { ...notRun, engine: "none", outcome: "SKIPPED" as const }],
  ]);
  const table = page.slice(page.indexOf('<table class="comparison">'), page.indexOf("</table>"));
  const rows = table.split("<tr>").slice(2);
  expect(rows.map((row) => [...row.matchAll(/>([^<>\n]+)</g)].map(([, text]) => text))).toEqual([
    ["one", "100 %", "34–100 %", "100 %", "100 %", "2", "0", "1", "2.0 s", "2,000", "$0.2000"],
    ["two", "100 %", "21–100 %", "–", "–", "1", "0", "0", "2.0 s", "500", "$0.0500"],
    ["none", "–", "–", "–", "–", "0", "0", "1", "unknown", "unknown", "unknown"],
  ]);
});

test("JUnit XML contains only characters that XML allows", () => {
  const xml = renderJunit(resultsOf([TRIAL, { ...TRIAL, outcome: "PASS", reason: undefined, case_id: "\ud800]]>\n" }]));
  expect(xml).toContain("&lt;/script&gt;");
  expect(xml).not.toMatch(/<script|<img|\0/);
  expect(xml).toContain('name="\ufffd]]&gt;&#10; #1"');
  expect(xml).toContain('tests="2" failures="1" errors="0" skipped="0"');
});
