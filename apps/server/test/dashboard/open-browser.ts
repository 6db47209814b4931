import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { BROWSER_ARGUMENTS, BROWSER_PATH } from "@switchyard/suite/browser";
import type { AxeResults } from "axe-core";
import { source as axe } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { expect, onTestFinished } from "vitest";

/** Folder for screenshots. */
const SHOTS = join(import.meta.dirname, "../../.screenshots");
/** Whether screenshots are stored, as `pnpm record:dashboard` requests. No test reads them, and each takes long to draw. */
const STORES_SHOTS = process.env["DASHBOARD_SCREENSHOTS"] === "1";

let browser: Promise<Browser> | undefined;

/** Closes the browser of a test file. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** Page in a separate browser context, with its errors and requests. */
export interface Visit {
  readonly page: Page;
  /** Console messages and uncaught errors. */
  readonly complaints: string[];
  /** URLs that the page requested. */
  readonly requests: string[];
}

/** Opens a page of the dashboard, which is closed after the test. */
export async function visit(
  url: string,
  { colorScheme = "light", width = 1_280 }: { colorScheme?: "light" | "dark"; width?: number } = {},
): Promise<Visit> {
  browser ??= chromium.launch({
    args: BROWSER_ARGUMENTS,
    ...(BROWSER_PATH === undefined ? {} : { executablePath: BROWSER_PATH }),
  });
  const context = await (await browser).newContext({ colorScheme, viewport: { width, height: 860 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(100_000);
  const [complaints, requests]: [string[], string[]] = [[], []];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("request", (request) => void requests.push(request.url()));
  await page.goto(url);
  return { page, complaints, requests };
}

/** Stores a screenshot of the page if `DASHBOARD_SCREENSHOTS` is 1. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!STORES_SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Asserts that the page has no accessibility violations. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  const found = results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found).toEqual([]);
}
