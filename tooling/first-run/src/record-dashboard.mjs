// @ts-check
// `pnpm record:dashboard`: plays the scene of the dashboard's tests on a real server, and copies the screenshot of a finished
// run to docs/images/dashboard.png. Needs Chromium.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const server = join(root, "apps/server");
const screenshot = join(server, ".screenshots/run-light-1440.png");
const picture = join(root, "docs/images/dashboard.png");

// A screenshot of an earlier test must not be mistaken for a new one.
rmSync(screenshot, { force: true });
const vitest = ["exec", "vitest", "run", "test/dashboard/views.test.ts", "--testNamePattern", "light, 1440 px"];
const env = { ...process.env, DASHBOARD_SCREENSHOTS: "1" };
spawnSync("pnpm", vitest, { cwd: server, env, stdio: ["ignore", "ignore", "inherit"] });
copyFileSync(screenshot, picture);
console.log(`Wrote ${picture}.`);
