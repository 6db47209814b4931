import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EngineError, type Envelope, type RunRecord, type SessionReport, type StoredRun } from "@switchyard/contracts";
import { isEnvelope } from "@switchyard/contracts/schemas";
import { renderRunPage } from "@switchyard/evaluation";
import { BROWSER_ARGUMENTS, BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import { source as axe } from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";

const HOSTILE =
  '</pre></script><script>document.title="owned"</script><img src=x onerror="document.title=1">[x](javascript:document.title=2)';
const TIME = "2026-03-01T12:00:0";
const USAGE = { inputTokens: 1_200, outputTokens: 300, totalTokens: 1_500, costMicros: 12_300 };

type Draft = Pick<Envelope, "type"> & { payload: unknown };

/** Events of a run whose agent speaks, calls a tool that works and one that fails, and ends. */
const DRAFTS: readonly Draft[] = [
  { type: "user_input", payload: { content: `Fix it. ${HOSTILE}` } },
  { type: "tool_call_start", payload: { type: "tool_call", id: "1", name: "shell", arguments: { command: HOSTILE } } },
  { type: "tool_call_end", payload: { type: "tool_result", tool_call_id: "1", content: HOSTILE } },
  { type: "tool_call_start", payload: { type: "tool_call", id: "2", name: HOSTILE, arguments: "{}" } },
  { type: "tool_call_end", payload: { type: "tool_result", tool_call_id: "2", content: "no", is_error: true } },
  {
    type: "assistant_text_end",
    payload: { content: `## Done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n\n${HOSTILE}` },
  },
];

async function* eventsOf(drafts: readonly Draft[]): AsyncGenerator<Envelope> {
  for (const [index, { type, payload }] of drafts.entries()) {
    const envelope: unknown = {
      ...{ id: String(index), type, subject: `run.${type}`, time: `${TIME}${index}.000Z`, seq: index + 1, attempt: 1 },
      ...{ headers: {}, payload },
    };
    if (!isEnvelope(envelope)) throw new Error(`event ${index} is invalid`);
    yield envelope;
  }
}

function runOf(engine: string, changes: Partial<SessionReport> = {}): StoredRun {
  const record: RunRecord = {
    ...{ format: 1, run_id: "01jd", engine, model: "anthropic/claude-sonnet-5-5", title: `Fix it ${HOSTILE}` },
    ...{ status: "completed", attempt: 1, created_at: `${TIME}0.000Z`, created_by: "0.0.0" },
  };
  const report: SessionReport = {
    ...{ runId: "01jd", engine, status: "completed", artifacts: [], usage: USAGE },
    timing: { startedAt: `${TIME}0.000Z`, finishedAt: `${TIME}6.000Z`, durationMs: 6_000 },
    workspaceDiff: `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+${HOSTILE}\n`,
    ...changes,
  };
  const input = { messages: [{ role: "user" as const, content: "Do the task." }] };
  return { runId: "01jd", folder: "/runs/01jd", record, report, request: { format: 1, input }, problems: [] };
}

describe("run page", () => {
  test("shows status, engine, cost, tokens, conversation, tool calls with output, timeline and diff", async () => {
    const page = await renderRunPage(runOf("claude-code"), { events: eventsOf(DRAFTS) });
    for (const part of [
      ...["completed", "claude-code", "$0.0123", "1,200", "<b>Done</b>", "<td>1</td>", "let a = 1;"],
      ...["<h2>Timeline</h2>", '<span class="added">+', '<span class="removed">-one</span>', '<b dir="auto">shell</b>'],
    ])
      expect(page).toContain(part);
    expect(page).not.toMatch(/<script|<img|href="javascript|\son\w+="/i);
    expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; style-src/);
  });

  test("shows the transcript of an engine without events, and otherwise the input and final message", async () => {
    const transcript = [
      { role: "user" as const, content: "Hello." },
      { role: "assistant" as const, content: "**Hi**", tool_calls: [{ id: "1", name: "grep", arguments: "{}" }] },
    ];
    const base = { exit_code: 0, final_message: "_All_ done." };
    const page = await renderRunPage(runOf("review", { result: { ...base, transcript } }), { events: eventsOf([]) });
    for (const part of ["Hello.", "<strong>Hi</strong>", "grep"]) expect(page).toContain(part);
    const brief = await renderRunPage(runOf("review", { result: base }), { events: eventsOf([]) });
    for (const part of ["Do the task.", "<em>All</em> done."]) expect(brief).toContain(part);
  });

  test("explains why a run failed, in sentences", async () => {
    const error = new EngineError("engine.failed", { problem: `it broke ${HOSTILE}` }).toWire();
    const page = await renderRunPage(runOf("agent", { status: "error", error }), { events: eventsOf([]) });
    expect(page).toContain(". Read the run&#39;s events for the cause.</p>");
    expect(page).not.toContain("<script");
  });
});

let browser: Promise<Browser> | undefined;
afterAll(async () => {
  await (await browser)?.close();
});

describe("in a browser", () => {
  beforeEach(({ skip }) => skip(BROWSER_PATH === undefined, NO_BROWSER));

  test.each([
    ["light", 390],
    ["dark", 390],
    ["light", 1_440],
    ["dark", 1_440],
  ] as const)(
    "the %s page, %d px wide, is accessible, loads nothing and runs no script",
    async (colorScheme, width) => {
      const folder = await mkdtemp(join(tmpdir(), "switchyard-page-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const path = join(folder, "run.html");
      await writeFile(path, await renderRunPage(runOf("agent"), { events: eventsOf(DRAFTS) }));
      browser ??= chromium.launch({ args: BROWSER_ARGUMENTS, executablePath: BROWSER_PATH ?? "" });
      const context = await (await browser).newContext({ colorScheme, viewport: { width, height: 860 } });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => void requests.push(request.url()));
      page.on("console", (message) => void complaints.push(message.text()));
      page.on("pageerror", (error) => void complaints.push(String(error)));
      await page.goto(pathToFileURL(path).href);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      expect(requests).toEqual([pathToFileURL(path).href]);
      expect(complaints).toEqual([]);
      expect(await page.title()).toContain("<script>");
      expect(await page.evaluate("document.querySelectorAll('script, img, iframe').length")).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      const found = await page.evaluate(
        `${axe}; axe.run().then(({ violations }) => violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html).join(" ").slice(0, 300)))`,
      );
      expect(found).toEqual([]);
    },
    60_000,
  );
});
