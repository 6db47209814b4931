import { createClient } from "@switchyard/client";
import { BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { answering, DONE, makeFolder, openServer } from "../open-server.ts";
import { seedRuns } from "../seed-runs.ts";
import { closeBrowser, visit } from "./open-browser.ts";

const MANY = 10_000;
const FEW = 10;
/** Measurements of each kind, of which the median counts. */
const ROUNDS = 5;
/** How much more time a list may take with many runs. */
const MOST = 3;

afterAll(closeBrowser);

beforeEach(({ skip }) => {
  if (BROWSER_PATH === undefined) skip(NO_BROWSER);
});

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function openWith(count: number): Promise<{ readonly url: string; readonly page: Page }> {
  const state = `${await makeFolder()}/state`;
  await seedRuns(state, count);
  const { url } = await openServer(
    answering(() => DONE),
    { stateDirectory: state },
  );
  const { page } = await visit(`${url}/#/runs`);
  await page.getByText(`of ${count.toLocaleString("en-US")}`).waitFor();
  return { url, page };
}

/**
 * Waits, frame by frame, until an expression in the page has a value, and resolves with the number. Playwright's own
 * function for this needs `eval`, which the page forbids.
 */
async function whenShown(page: Page, expression: string): Promise<number> {
  const script = `new Promise((resolve) => {
    const look = () => {
      const value = ${expression};
      if (value) resolve(value);
      else requestAnimationFrame(look);
    };
    look();
  })`;
  return Number(await page.evaluate(script));
}

/** Time from the start of the navigation until the list is in the page, in milliseconds. */
async function firstPaintMs(page: Page): Promise<number> {
  await page.reload({ waitUntil: "commit" });
  return whenShown(page, `document.querySelector("tbody tr") && performance.now()`);
}

/** Time from the request of a search until its only run is in the page, in milliseconds. Typing pauses do not count. */
async function searchMs(page: Page, query: string): Promise<number> {
  await page.getByRole("searchbox").fill("");
  await page.getByText("1–1 of 1", { exact: true }).waitFor({ state: "hidden" });
  await page.evaluate("performance.clearResourceTimings()");
  await page.getByRole("searchbox").fill(query);
  return whenShown(
    page,
    `[...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent === "1–1 of 1") &&
      performance.now() - performance.getEntriesByType("resource").find(({ name }) => name.includes("search=")).startTime`,
  );
}

/** Time of a request for a list, in milliseconds. */
async function requestMs(url: string, search: string): Promise<number> {
  const { runs } = createClient({ url });
  const startedMs = performance.now();
  await runs.list({ search, sort: "-cost" });
  return performance.now() - startedMs;
}

test("with 10,000 runs, first paint and search take at most three times as long as with 10", {
  timeout: 300_000,
}, async () => {
  const few = await openWith(FEW);
  const many = await openWith(MANY);
  const names = ["first paint", "search", "request"] as const;
  const measured = names.map((name) => ({ name, few: [] as number[], many: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const query = `case-${round}`;
    for (const [size, { page, url }] of [["few", few] as const, ["many", many] as const]) {
      const exact = size === "few" ? query : `${query.replace("case-", "case-999")}`;
      const [paint, search, request] = measured;
      paint?.[size].push(await firstPaintMs(page));
      search?.[size].push(await searchMs(page, exact));
      request?.[size].push(await requestMs(url, "case-9"));
    }
  }
  const medians = measured.map((one) => ({ name: one.name, few: median(one.few), many: median(one.many) }));
  console.log(medians.map((one) => `${one.name}: ${one.few.toFixed(1)} ms, ${one.many.toFixed(1)} ms`).join("; "));
  for (const one of medians.filter(({ name }) => name !== "request"))
    expect(one.many / one.few, `${one.name} with ${MANY} runs, relative to ${FEW}`).toBeLessThanOrEqual(MOST);
});

test("the next page of a long list needs one request, and the first page is not loaded again", async () => {
  const state = `${await makeFolder()}/state`;
  await seedRuns(state, 180);
  const server = await openServer(
    answering(() => DONE),
    { stateDirectory: state },
  );
  const { page, requests } = await visit(`${server.url}/#/runs?search=case&sort=created`);
  await page.getByText("1–50 of 180").waitFor();
  await page.getByRole("link", { name: "Next →" }).click();
  await page.getByText("51–100 of 180").waitFor();
  const before = requests.length;
  await page.getByRole("link", { name: "Next →" }).click();
  await page.getByText("101–150 of 180").waitFor();
  const lists = requests.slice(before).filter((address) => address.includes("search=case"));
  expect(lists.every((address) => address.includes("cursor="))).toBe(true);
  await page.reload();
  await page.getByText("101–150 of 180").waitFor();
  await page.getByText("case-100", { exact: false }).first().waitFor();
  await page.goBack();
  await page.getByText("51–100 of 180").waitFor();
});
