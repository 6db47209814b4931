// @ts-check
import { existsSync } from "node:fs";

/** The browsers that tests can use. The headless shell comes first, because it takes the least processor time. */
const PATHS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Path of an installed browser; `undefined` if there is none. */
export const BROWSER_PATH = PATHS.find((path) => existsSync(path));

/** Reason for skipping a test without a browser. */
export const NO_BROWSER = "chromium is not installed";

/** Arguments with which the browser draws without a graphics card and requests nothing in the background. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
