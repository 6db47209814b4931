import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@switchyard/client";
import { BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parseTokens } from "../../src/index.ts";
import { ASK, answering, DONE, makeFolder, openServer } from "../open-server.ts";
import { gate } from "../step-engine.ts";
import { closeBrowser, expectAccessible, shoot, visit } from "./open-browser.ts";
import { type Script, scriptedAgent } from "./scripted-model.ts";

afterAll(closeBrowser);

/** Text with markup, scripts, terminal escape sequences and a bidirectional control character. */
const HOSTILE = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>\u001b[31mred\u001b]0;t\u0007 \u202etxt.exe`;

/** Markdown that would load an image, run a script, or lead to another view of the page. */
const HOSTILE_MARKDOWN =
  "![a picture](http://127.0.0.1:9/x.png) [a link](javascript:alert(1)) [a link](#/board) [an address](https://example.org/)";

/** Creates a git repository, so that changes are recorded. */
async function makeRepository(): Promise<string> {
  const folder = await makeFolder();
  await writeFile(join(folder, "sum.js"), "export function sum(a, b) {\n  return a - b;\n}\n");
  const git = (...argv: string[]): void => {
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...argv], {
      cwd: folder,
      stdio: "ignore",
    });
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "start");
  return folder;
}

const fixing: Script = ({ answers }) => {
  const first = { name: "read_file", arguments: { file_path: "sum.js" } };
  const change = { file_path: "sum.js", old_string: "a - b", new_string: "a + b" };
  const test = "node --input-type=module -e 'import { sum } from \"./sum.js\"; console.log(sum(2, 2))'";
  if (answers === 0) return { text: "I look at the code first.", reasoning: "A sum that subtracts?", calls: [first] };
  if (answers === 1) return { text: "It subtracts. I mend that.", calls: [{ name: "edit_file", arguments: change }] };
  if (answers === 2) return { calls: [{ name: "shell", arguments: { command: test } }] };
  return { text: "The sum adds now: `a + b`." };
};

async function runToEnd(url: string, text: string, token?: string): Promise<string> {
  const { runs } = createClient({ url, token });
  const { run_id: runId } = await runs.create({ messages: [{ role: "user", content: text }] });
  await runs.wait(runId);
  return runId;
}

/** Returns the text that the current view shows. */
async function seen(page: Page): Promise<string> {
  return (await page.locator("main").textContent()) ?? "";
}

beforeEach(({ skip }) => {
  if (BROWSER_PATH === undefined) skip(NO_BROWSER);
});

describe("the dashboard", () => {
  test("lists runs, filters them, and shows one with its calls, changes, tokens and result", async () => {
    const server = await openServer(scriptedAgent(fixing), { workspace: await makeRepository() });
    const runId = await runToEnd(server.url, "Fix the sum.");
    await runToEnd(server.url, "Fix the product.");
    const { page, complaints, requests } = await visit(server.url);
    await page.getByRole("link", { name: "Fix the sum." }).waitFor();
    await expectAccessible(page);
    await shoot(page, "runs");
    await page.getByRole("searchbox").fill("product");
    await page.getByRole("link", { name: "Fix the sum." }).waitFor({ state: "hidden" });
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Active" }).click();
    await page.getByText("No run matches these filters.").waitFor();
    expect(page.url()).toContain("status=active");
    await page.getByRole("button", { name: "All" }).click();
    await page.setViewportSize({ width: 360, height: 700 });
    expect((await page.locator("td.title").first().boundingBox())?.width).toBeGreaterThan(150);
    await page.setViewportSize({ width: 1_280, height: 860 });
    await page.getByRole("link", { name: "Fix the sum." }).click();
    await page.getByText("The sum adds now").waitFor();
    await page.locator(".tool .line-added", { hasText: "a + b" }).waitFor();
    await page.getByRole("img", { name: /Use of time: Model .*, Tools / }).waitFor();
    await page
      .getByText(/in · .* out · \$/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await shoot(page, "run");
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByText("return a + b;").waitFor();
    await expectAccessible(page);
    await shoot(page, "changes");
    await page.getByRole("link", { name: "Tokens and cost" }).click();
    await page.getByRole("img", { name: /Tokens of each response/ }).waitFor();
    await page.getByText("As a table").click();
    expect(await page.locator("tbody tr").count()).toBe(4);
    await expectAccessible(page);
    await shoot(page, "usage");
    await page.getByRole("link", { name: "Result" }).click();
    await page.getByText("The sum adds now").waitFor();
    await page.getByText("Result as JSON").click();
    await page.getByText('"final_message"').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByText("Result as JSON").waitFor();
    expect(page.url()).toContain(runId);
    expect(complaints).toEqual([]);
    expect(requests.filter((address) => !address.startsWith(server.url))).toEqual([]);
  });

  test("shows artifacts as text, and downloads them unchanged", async () => {
    const bytes = Buffer.from([0, 255, 10, 13]);
    const files = [
      { name: "report/page.html", content: HOSTILE },
      { name: "data.bin", content_base64: bytes.toString("base64") },
      { name: "gone.txt", path: "no/such/file.txt" },
    ];
    const server = await openServer(answering(() => ({ ...DONE, artifacts: { files } })));
    const runId = await runToEnd(server.url, "Make files.");
    const { page, complaints } = await visit(`${server.url}/#/runs/${runId}/artifacts`);
    const [html, data, missing] = ["page.html", "data.bin", "gone.txt"].map((name) =>
      page.getByRole("listitem").filter({ hasText: name }),
    );
    await html?.getByRole("button", { name: "Preview" }).click();
    await html?.getByText("taken").first().waitFor();
    expect(await page.title()).not.toBe("taken");
    await data?.getByRole("button", { name: "Preview" }).click();
    await data?.getByText("(binary file)").waitFor();
    await missing?.getByText("Not archived").waitFor();
    expect(await missing?.getByRole("button").count()).toBe(0);
    await expectAccessible(page);
    await shoot(page, "artifacts");
    const downloading = page.waitForEvent("download");
    await data?.getByRole("button", { name: "Save" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("data.bin");
    expect(await readFile(await download.path())).toEqual(bytes);
    expect(complaints).toEqual([]);
  });

  test("shows streamed text, accepts steering, and shows everything once after a reload", async () => {
    const [watched, blocked] = [gate(), gate()];
    onTestFinished(watched.open);
    onTestFinished(blocked.open);
    const script: Script = ({ answers, last }) => {
      if (answers === 0)
        return {
          text: "Thinking about it",
          from: watched.opened,
          until: blocked.opened,
          calls: [{ name: "shell", arguments: { command: "echo one" } }],
        };
      return { text: `I heard: ${last}` };
    };
    const server = await openServer(scriptedAgent(script));
    const { page, complaints } = await visit(server.url);
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("textbox", { name: "Task" }).fill("Think.");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    watched.open();
    await page.getByText("Thinking about").waitFor();
    await page.getByLabel("Steer").fill("use tabs");
    await page.keyboard.press("Enter");
    await page.getByText("(not delivered yet)").waitFor();
    await shoot(page, "live");
    await page.reload();
    await page.getByText("(not delivered yet)").waitFor();
    await expectAccessible(page);
    blocked.open();
    await page.getByText("I heard: use tabs").waitFor();
    await page.locator("header .status", { hasText: "completed" }).waitFor();
    expect((await seen(page)).split("use tabs").length - 1).toBe(2);
    expect((await seen(page)).split("Thinking about it").length - 1).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("asks questions that can be answered with the keyboard alone", async () => {
    const script: Script = ({ answers }) =>
      answers === 0
        ? { calls: [{ name: "ask_user", arguments: { question: "Tabs or spaces?" } }] }
        : { text: "So be it." };
    const server = await openServer(scriptedAgent(script));
    const { page } = await visit(server.url);
    const { runs } = createClient({ url: server.url });
    await runs.create(ASK);
    const link = page.getByRole("link", { name: "Do it." });
    await link.waitFor();
    await link.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Question from the agent" }).getByText("Tabs or spaces?").waitFor();
    await page.locator("header .status", { hasText: "needs answer" }).waitFor();
    await expectAccessible(page);
    await shoot(page, "question");
    await page.getByLabel("Answer").focus();
    await page.keyboard.type("tabs");
    await page.keyboard.press("Enter");
    await page.getByText("So be it.").waitFor();
    await page.getByText("Answer: tabs").waitFor();
  });

  test("interrupts a run, and resumes it", async () => {
    const blocked = gate();
    onTestFinished(blocked.open);
    let isStopped = false;
    const script: Script = ({ answers }) => {
      if (answers === 0) return { text: "First.", calls: [{ name: "shell", arguments: { command: "true" } }] };
      return isStopped ? { text: "Gone on with." } : { text: "Never ending ", until: blocked.opened };
    };
    const server = await openServer(scriptedAgent(script));
    const { page } = await visit(server.url);
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("textbox", { name: "Task" }).fill("Go.");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Turn 2").waitFor();
    isStopped = true;
    await page.getByRole("button", { name: "Interrupt" }).click();
    await page.locator("header .status", { hasText: "interrupted" }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Gone on with.").waitFor();
    await page.locator("header .status", { hasText: "completed" }).waitFor();
    await page.getByText("Attempt 2 continues from a checkpoint.").waitFor();
  });

  test("reconnects when the server is back, with every event once", async () => {
    const blocked = gate();
    onTestFinished(blocked.open);
    const script: Script = ({ answers }) =>
      answers === 0
        ? { text: "Before.", calls: [{ name: "shell", arguments: { command: "true" } }] }
        : { text: "Behind it.", until: blocked.opened };
    const engine = scriptedAgent(script);
    const first = await openServer(engine);
    const { page } = await visit(first.url);
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("textbox", { name: "Task" }).fill("Go.");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Turn 2").waitFor();
    await first.drain();
    const second = await openServer(engine, { port: first.port, stateDirectory: first.state });
    await page.reload();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Attempt 2 continues").waitFor();
    // Only the event stream breaks, and the page reconnects automatically.
    await page.context().setOffline(true);
    blocked.open();
    await page.context().setOffline(false);
    await page.getByText("Behind it.").waitFor();
    await page.locator("header .status", { hasText: "completed" }).waitFor();
    expect((await seen(page)).split("Before.").length - 1).toBe(1);
    expect((await seen(page)).split("Behind it.").length - 1).toBe(1);
    expect(second.errors).toEqual([]);
  });

  test("stays connected while a queued run emits nothing", async () => {
    const blocked = gate();
    onTestFinished(blocked.open);
    const engine = scriptedAgent(() => ({ text: "Its turn came.", until: blocked.opened }));
    const server = await openServer(engine, { concurrency: 1 });
    const { runs } = createClient({ url: server.url });
    const create = (content: string) => runs.create({ messages: [{ role: "user", content }] });
    const first = await create("First.");
    for await (const { type } of runs.events(first.run_id)) if (type === "session_start") break;
    const { page } = await visit(`${server.url}/#/runs/${(await create("Second.")).run_id}`);
    await page.locator("header .status", { hasText: "queued" }).waitFor();
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
    blocked.open();
    await page.getByText("Its turn came.", { exact: true }).waitFor();
  });

  test("compares two runs, in the dark theme, next to subagents", async () => {
    const script: Script = ({ answers, last, result }) => {
      if (last.includes("child task")) return { text: "The child is done." };
      if (answers === 0) return { calls: [{ name: "spawn_agent", arguments: { task: "child task" } }] };
      if (answers === 1)
        return { calls: [{ name: "wait", arguments: { agent_id: /Started (\S+)\./.exec(result)?.[1] ?? "" } }] };
      return { text: `All done: ${last}` };
    };
    const server = await openServer(scriptedAgent(script), { workspace: await makeRepository() });
    await runToEnd(server.url, "First way.");
    await runToEnd(server.url, "Second way.");
    const { page, complaints } = await visit(server.url, { colorScheme: "dark" });
    await page.getByLabel("Choose for a comparison: First way.").check();
    await page.getByLabel("Choose for a comparison: Second way.").check();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Compare the two chosen" }).click();
    await page.getByText("All done: First way.").waitFor();
    await page.getByText("All done: Second way.").waitFor();
    await expectAccessible(page);
    await shoot(page, "compare-dark");
    await page.getByRole("link", { name: "First way." }).click();
    await page.getByText("Subagent").first().click();
    await page.getByText("The child is done.").first().waitFor();
    await expectAccessible(page);
    await shoot(page, "subagent-dark");
    await page.getByRole("button", { name: /^Colours/ }).click();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("escapes hostile output in every part of a run", async () => {
    const script: Script = ({ answers }) =>
      answers === 0
        ? {
            text: HOSTILE,
            calls: [
              { name: "write_file", arguments: { file_path: "page.html", content: HOSTILE } },
              { name: "shell", arguments: { command: `printf '%s' '${HOSTILE.replaceAll("'", "")}'` } },
            ],
          }
        : { text: `${HOSTILE}\n\n${HOSTILE_MARKDOWN}` };
    const server = await openServer(scriptedAgent(script), { workspace: await makeRepository() });
    const runId = await runToEnd(server.url, HOSTILE);
    const { page, requests } = await visit(`${server.url}/#/runs/${runId}`);
    await page.getByText("⟨U+202E⟩txt.exe").first().waitFor();
    for (const tab of ["Changes", "Artifacts", "Result", "Timeline"]) {
      await page.getByRole("link", { name: tab }).click();
      await page.getByRole("link", { name: tab, exact: true }).and(page.locator("[aria-current]")).waitFor();
    }
    expect(await page.title()).not.toBe("taken");
    expect(await seen(page)).not.toContain("\u202e");
    expect(await page.locator("main img, main script, main iframe").count()).toBe(0);
    await page.getByText("[a picture]").waitFor();
    const targets = await page
      .getByRole("link", { name: /a link|a picture|an address/ })
      .evaluateAll((links) => links.map(String));
    expect(targets).toEqual(["http://127.0.0.1:9/x.png", "https://example.org/"]);
    expect(requests.filter((address) => !address.startsWith(server.url))).toEqual([]);
  });

  test("asks for a token if the server requires one, and never puts it into an address", async () => {
    const token = "dashboard-token-of-nobody-0123456789";
    const tokens = parseTokens(`${token} owner=u roles=runner,approver\n`, "tokens.txt");
    const server = await openServer(
      scriptedAgent(() => ({ text: "Hello." })),
      { tokens },
    );
    await runToEnd(server.url, "Say hello.", token);
    const { page, requests } = await visit(server.url);
    await page.getByLabel("Token").fill("wrong-token-of-nobody-0123456789");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await expectAccessible(page);
    await shoot(page, "token");
    await page.getByLabel("Token").fill(`Bearer ${token}…`);
    await page.keyboard.press("Enter");
    await page.getByText("This is not a token").waitFor();
    expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
    await page.getByLabel("Token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Say hello." }).click();
    await page.getByText("Hello.", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Hello.", { exact: true }).waitFor();
    expect(requests.filter((address) => address.includes(token))).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
  });
});
