import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { source as axe } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { expect, onTestFinished } from "vitest";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Nothing of the browser's own goes out. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** What the browser drew, kept for people to look at. */
const SHOTS = join(import.meta.dirname, "../../.screenshots");

/** Where a browser is; nothing where there is none. */
export const BROWSER_PATH: string | undefined = BROWSERS.find((path) => existsSync(path));

/** Why a test cannot run without one. */
export const NO_BROWSER = "chromium is not installed";

let browser: Promise<Browser> | undefined;

/** Closes the browser of this file. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** A page of a visitor of its own, and what went wrong in it. */
export interface Visit {
  readonly page: Page;
  /** Messages of the console and errors that nobody caught. */
  readonly complaints: string[];
  /** Addresses that were asked for. */
  readonly asked: string[];
}

/** Opens a page of the dashboard; it is closed after the test. */
export async function visit(
  url: string,
  { colorScheme = "light" }: { colorScheme?: "light" | "dark" } = {},
): Promise<Visit> {
  browser ??= chromium.launch({ args: QUIET, ...(BROWSER_PATH === undefined ? {} : { executablePath: BROWSER_PATH }) });
  const context = await (await browser).newContext({ colorScheme, viewport: { width: 1_280, height: 860 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(100_000);
  const [complaints, asked]: [string[], string[]] = [[], []];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("request", (request) => void asked.push(request.url()));
  await page.goto(url);
  return { page, complaints, asked };
}

/** Keeps what the page looks like. */
export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Expects that nothing keeps people from using a page who do not see it, or not well. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>("axe.run()");
  const found = results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found).toEqual([]);
}
