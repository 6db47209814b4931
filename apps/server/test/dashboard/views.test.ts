import { BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeBrowser, expectAccessible, shoot, visit } from "./open-browser.ts";
import { openScene, type Scene } from "./open-scene.ts";

const releases: (() => Promise<void>)[] = [];
let scene: Scene;

beforeAll(async () => {
  if (BROWSER_PATH !== undefined) scene = await openScene((release) => void releases.push(release));
});

afterAll(async () => {
  await closeBrowser();
  for (const release of releases.reverse()) await release();
});

beforeEach(({ skip }) => {
  if (BROWSER_PATH === undefined) skip(NO_BROWSER);
});

/** A view of the dashboard: its address, and the content it shows once it is loaded. */
interface View {
  readonly name: string;
  readonly hash: (scene: Scene) => string;
  readonly ready: (page: Page) => Promise<unknown>;
}

const text = (shown: string | RegExp) => (page: Page) => page.locator("main").getByText(shown).first().waitFor();

const VIEWS: readonly View[] = [
  { name: "runs", hash: () => "#/runs", ready: text("Choose a code style.") },
  { name: "runs-filtered", hash: () => "#/runs?search=no+such+run", ready: text("No run matches these filters.") },
  { name: "board", hash: () => "#/board", ready: (page) => page.getByRole("button", { name: "Allow once" }).waitFor() },
  { name: "trends", hash: () => "#/trends", ready: text("Your budget today: $3.10 of $20.00") },
  { name: "run", hash: ({ first }) => `#/runs/${first}`, ready: text("What was wrong") },
  { name: "run-changes", hash: ({ first }) => `#/runs/${first}/changes`, ready: text("return a + b;") },
  { name: "run-artifacts", hash: ({ first }) => `#/runs/${first}/artifacts`, ready: text("The run has no artifacts.") },
  { name: "run-usage", hash: ({ first }) => `#/runs/${first}/usage`, ready: text("Tokens of each response") },
  { name: "run-result", hash: ({ first }) => `#/runs/${first}/result`, ready: text("What was wrong") },
  { name: "run-approval", hash: ({ approval }) => `#/runs/${approval}`, ready: text("wants to edit ask.md") },
  { name: "run-question", hash: ({ question }) => `#/runs/${question}`, ready: text("The agent asks you") },
  { name: "run-missing", hash: () => "#/runs/no-such-run", ready: text("This run cannot be shown.") },
  { name: "compare", hash: ({ first, second }) => `#/compare/${first}/${second}`, ready: text("different changes") },
];

const CASES = (["light", "dark"] as const).flatMap((colorScheme) =>
  [390, 1_440].map((width) => ({ colorScheme, width, name: `${colorScheme}, ${width} px` })),
);

/** Asserts that the page needs no horizontal scrolling. */
async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
}

describe("dashboard view", () => {
  test.for(CASES)(
    "has no accessibility violation and no horizontal scrolling: $name",
    async ({ colorScheme, width }) => {
      const { page, complaints } = await visit(scene.server.url, { colorScheme, width });
      for (const { name, hash, ready } of VIEWS) {
        await page.goto(`${scene.server.url}/${hash(scene)}`);
        await ready(page);
        await expectAccessible(page);
        await expectNoOverflow(page);
        await shoot(page, `${name}-${colorScheme}-${width}`);
      }
      await page.goto(`${scene.server.url}/#/runs`);
      await page.getByRole("link", { name: "Choose a code style." }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Command or run" }).fill("sum");
      await page.getByRole("option", { name: /^Run: Fix the sum in/ }).waitFor();
      await expectAccessible(page);
      await shoot(page, `palette-${colorScheme}-${width}`);
      await page.getByRole("combobox", { name: "Command or run" }).fill("new run");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Task" }).waitFor();
      await expectAccessible(page);
      await shoot(page, `new-run-${colorScheme}-${width}`);
      expect(complaints.filter((line) => !line.includes("404"))).toEqual([]);
    },
  );
});
