import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { BROWSER_ARGUMENTS, BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import type { AxeResults } from "axe-core";
import { source as axe } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

const PACKAGE = resolve(import.meta.dirname, "..");
/** Widths of a phone and of a desktop, in pixels. */
const WIDTHS = [390, 1_440] as const;
const HEIGHT = 900;
const PAGES = ["/", "/tutorials/compare-two-agents", "/guides/environments", "/packages/cli", "/api/client"];

let output = "";
let address = "";
let server: ReturnType<typeof spawn> | undefined;
let browser: Browser | undefined;

beforeAll(async () => {
  const build = await promisify(execFile)(process.execPath, ["src/build-site.mjs"], { cwd: PACKAGE });
  output = `${build.stdout}${build.stderr}`;
  const child = spawn(process.execPath, ["src/serve-site.mjs", "0"], {
    cwd: PACKAGE,
    stdio: ["ignore", "pipe", "inherit"],
  });
  server = child;
  const [line] = await once(child.stdout, "data");
  address = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))?.[0] ?? "";
  if (BROWSER_PATH !== undefined) {
    browser = await chromium.launch({ executablePath: BROWSER_PATH, args: BROWSER_ARGUMENTS });
  }
});

afterAll(async () => {
  await browser?.close();
  server?.kill();
});

/** A page of the site, what it requested from elsewhere, and its errors. */
interface Visit {
  readonly page: Page;
  readonly elsewhere: string[];
  readonly errors: string[];
}

async function visit(path: string, { width = 1_440 } = {}): Promise<Visit> {
  if (browser === undefined) throw new Error("There is no browser.");
  const page = await browser.newPage({ viewport: { width, height: HEIGHT }, colorScheme: "light" });
  const [elsewhere, errors]: [string[], string[]] = [[], []];
  page.on(
    "request",
    (request) =>
      void (/^(data:|blob:)/.test(request.url()) || request.url().startsWith(address) || elsewhere.push(request.url())),
  );
  page.on("pageerror", (error) => void errors.push(String(error)));
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
  await page.goto(`${address}${path}`, { waitUntil: "networkidle" });
  return { page, elsewhere, errors };
}

test("the site is built with every document and an API page for each entry point", () => {
  expect(output).toMatch(/Wrote \d{2,} pages and \d{2,} API pages/);
  const api = readFileSync(join(PACKAGE, "dist/api/runner.html"), "utf8");
  expect(api).toContain("@switchyard/runner");
  expect(api).toContain('id="run"');
});

test("an unknown address returns the page for missing pages", async () => {
  const response = await fetch(`${address}/no-such-page`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("404");
});

describe("in a browser", () => {
  beforeEach(({ skip }) => {
    if (BROWSER_PATH === undefined) skip(NO_BROWSER);
  });

  test("the top navigation leads from the home page to a guide; nothing is loaded from other servers", async () => {
    const { page, elsewhere, errors } = await visit("/");
    const navigation = page.getByRole("navigation", { name: "Main Navigation" });
    expect(await navigation.getByRole("link").allTextContents()).toEqual(
      expect.arrayContaining(["Tutorials", "Guides", "Concepts", "Reference", "API"]),
    );
    await navigation.getByRole("link", { name: "Guides" }).click();
    await page.getByRole("heading", { level: 1, name: "Choose an environment" }).waitFor();
    expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
    await page.close();
  });

  test("search finds a word of a guide and an export of a package, and opens it", async () => {
    const { page, elsewhere, errors } = await visit("/");
    for (const [word, path] of [
      ["idempotency", "/guides/"],
      ["openConfiguredEngine", "/api/"],
    ] as const) {
      await page.getByRole("button", { name: "Search" }).first().click();
      await page.getByRole("searchbox").fill(word);
      const result = page.locator(`#localsearch-list a[href*="${path}"]`).first();
      await result.click();
      await page.waitForURL(`**${path}**`);
      await page.locator("#VPContent").filter({ hasText: word }).waitFor();
    }
    expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
    await page.close();
  });

  // A page takes as long to load as to check, so each page is loaded once and then changes its width and colors.
  test.for(PAGES)("%s is accessible and fits, light and dark, in a narrow and in a wide window", async (path) => {
    const [narrow = 0, ...wider] = WIDTHS;
    const { page, errors } = await visit(path, { width: narrow });
    const found: string[] = [];
    await page.evaluate(axe);
    for (const width of [narrow, ...wider]) {
      await page.setViewportSize({ width, height: HEIGHT });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const isDark = colorScheme === "dark";
        await page.waitForFunction(`document.documentElement.classList.contains("dark") === ${isDark}`);
        const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
        found.push(
          ...violations.map(
            ({ id, nodes }) => `${width} px ${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
          ),
        );
        if ((await page.evaluate<number>("document.documentElement.scrollWidth")) > width)
          found.push(`${width} px ${colorScheme} is too wide`);
      }
    }
    await page.close();
    expect([...found, ...errors]).toEqual([]);
  });
});
