import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@switchyard/client";
import { BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { parseTokens } from "../../src/index.ts";
import { makeFolder, openServer } from "../open-server.ts";
import { seedRuns } from "../seed-runs.ts";
import { closeBrowser, expectAccessible, shoot, visit } from "./open-browser.ts";
import { type Script, scriptedAgent } from "./scripted-model.ts";

afterAll(closeBrowser);

beforeEach(({ skip }) => {
  if (BROWSER_PATH === undefined) skip(NO_BROWSER);
});

const FILES = { "greeting.md": "Hello.\n" };

/** Edits a file after a permission, and then reports the result. */
const editing: Script = ({ answers, result }) => {
  const change = { file_path: "greeting.md", old_string: "Hello.", new_string: "Welcome!" };
  if (answers === 0)
    return { text: "I read.", calls: [{ name: "read_file", arguments: { file_path: "greeting.md" } }] };
  if (answers === 1) return { text: "I edit.", calls: [{ name: "edit_file", arguments: change }] };
  return { text: `It ended: ${result.slice(0, 60)}` };
};

const asking = () =>
  scriptedAgent(editing, {
    approval: { rules: [{ tool: "edit_file", outcome: "ask", reason: "edits need a review" }], otherwise: "allow" },
  });

const create = async (url: string, content: string): Promise<string> =>
  (await createClient({ url }).runs.create({ messages: [{ role: "user", content }] }, { files: FILES })).run_id;

describe("controlling runs", () => {
  test("asks for a permission once, with the diff, and distinguishes waiting from working", async () => {
    const server = await openServer(asking());
    const runId = await create(server.url, "Greet.");
    const { page, complaints } = await visit(`${server.url}/#/runs/${runId}`);
    const card = page.getByRole("region", { name: "Question from the agent" });
    await card.getByText("The agent wants to edit greeting.md").waitFor();
    await card.getByText("Why it asks: edits need a review").waitFor();
    await card.locator(".line-removed", { hasText: "Hello." }).waitFor();
    await card.locator(".line-added", { hasText: "Welcome!" }).waitFor();
    const text = (await page.locator("main").textContent()) ?? "";
    for (const jargon of ["allow_once", "allow_session", "old_string", "wants to use the tool"])
      expect(text).not.toContain(jargon);
    expect(text.split("The agent wants to").length - 1).toBe(1);
    const tool = page.locator(".tool", { hasText: "edit_file" });
    expect(await tool.textContent()).toContain("waits for your answer");
    expect(await page.getByRole("img", { name: /Waiting for you/ }).count()).toBe(1);
    expect(await card.getByRole("button").allTextContents()).toEqual(["Allow once", "Allow for this session", "Deny"]);
    await card.getByRole("button", { name: "Allow once" }).click();
    await card.waitFor({ state: "hidden" });
    await tool.getByText("allowed by user").waitFor();
    await tool.getByText(/^waited /).waitFor();
    await page.locator("header .status", { hasText: "completed" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("answers on the board, where waiting runs come first, after it has shown the edit as a diff", async () => {
    const server = await openServer(asking());
    const runId = await create(server.url, "Greet.");
    const { page } = await visit(`${server.url}/#/board`);
    const column = page.getByRole("region", { name: "Needs your answer" });
    await column.getByText("The agent wants to edit greeting.md").waitFor();
    await column.getByText("Why it asks: edits need a review").waitFor();
    await column.locator(".line-removed", { hasText: "Hello." }).waitFor();
    await column.locator(".line-added", { hasText: "Welcome!" }).waitFor();
    expect(await column.textContent()).not.toMatch(/old_string|allow_once|edit_file/);
    await column.getByRole("button", { name: "Deny" }).click();
    await page.getByText("No run is active.").waitFor();
    const { status } = await createClient({ url: server.url }).runs.wait(runId);
    expect(status).toBe("completed");
    expect(await readFile(join(`${server.state}-workspaces`, runId, "greeting.md"), "utf8")).toBe("Hello.\n");
  });

  test("previews and undoes the changes of a run, and forks with a message", async () => {
    const server = await openServer(scriptedAgent(editing));
    const runId = await create(server.url, "Greet.");
    await createClient({ url: server.url }).runs.wait(runId);
    const { page, complaints } = await visit(`${server.url}/#/runs/${runId}`);
    await page.getByRole("button", { name: "Undo…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".line-added", { hasText: "Welcome!" }).waitFor();
    await expectAccessible(page);
    await shoot(page, "undo");
    await dialog.getByRole("button", { name: "Revert these changes" }).click();
    await page.getByText("changes undone").waitFor();
    expect(await readFile(join(`${server.state}-workspaces`, runId, "greeting.md"), "utf8")).toBe("Hello.\n");
    expect(await page.getByRole("button", { name: "Undo…" }).count()).toBe(0);
    await page.getByRole("button", { name: "Fork…" }).click();
    await page.getByLabel("Next message").fill("And now in French.");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Start the fork" }).click();
    await page.getByText("forked from").waitFor();
    await page.getByText("And now in French.").first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("stores search, filter, order and page in the address, and finds runs by keyboard", async () => {
    const state = join(await makeFolder(), "state");
    await seedRuns(state, 120);
    const server = await openServer(scriptedAgent(editing), { stateDirectory: state });
    const { page } = await visit(`${server.url}/#/runs`);
    await page.getByText("1–50 of 120").waitFor();
    await page.getByRole("button", { name: "Not completed" }).click();
    await page.getByLabel("Engine", { exact: true }).selectOption("codex");
    await page.getByRole("button", { name: "Cost" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("case-1");
    await page.waitForURL(/search=case-1/);
    const shown = page.getByRole("status").filter({ hasText: /of \d+$/ });
    await page.getByText("1–5 of 5").waitFor();
    expect(page.url()).toMatch(/#\/runs\?status=stopped&search=case-1&engine=codex&sort=-cost$/);
    expect(await page.locator("th[aria-sort=descending]").textContent()).toContain("Cost");
    await page.reload();
    await page.getByText("1–5 of 5").waitFor();
    expect(await shown.count()).toBe(1);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const focused = await page.evaluate("document.activeElement.textContent");
    expect(focused).toBe(await page.locator("[data-row-link]").nth(1).textContent());
    await page.goBack();
    await page
      .getByText(/of 120|of \d+/)
      .first()
      .waitFor();
  });

  test("explains what to do with a read-only token", async () => {
    const token = "reading-token-of-nobody-0123456789";
    const tokens = parseTokens(`${token} owner=u roles=viewer\n`, "tokens.txt");
    const server = await openServer(scriptedAgent(editing), { tokens });
    const { page } = await visit(server.url);
    await page.getByLabel("Token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("textbox", { name: "Task" }).fill("Go.");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Your token does not allow this. Ask the operator").waitFor();
  });

  test("explains what to do while the server is unreachable, and recovers", async () => {
    const server = await openServer(scriptedAgent(editing));
    const { page } = await visit(`${server.url}/#/runs`);
    await page.getByText("There are no runs yet.").waitFor();
    await page.route("**/v1/**", (route) => route.abort());
    await page.getByText("The server does not respond.").first().waitFor();
    await expectAccessible(page);
    await page.unroute("**/v1/**");
    await page.getByText("The server does not respond.").first().waitFor({ state: "hidden" });
  });
});
