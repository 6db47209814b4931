// @ts-check
// `pnpm docs:serve [PORT]`: serves the built documentation site on loopback. PORT 0 selects a free port.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const SITE = join(import.meta.dirname, "../dist");
if (!existsSync(SITE)) {
  console.error("The site is not built. Run `pnpm docs:build` first.");
  process.exit(2);
}

const root = relative(process.cwd(), SITE);
const app = new Hono();
// Pages have addresses without extension.
const rewriteRequestPath = (/** @type {string} */ path) => (/(\/|\.\w+)$/.test(path) ? path : `${path}.html`);
app.use(serveStatic({ root, rewriteRequestPath }));
const notFound = readFileSync(join(SITE, "404.html"), "utf8");
app.notFound((context) => context.html(notFound, 404));
const port = Number(process.argv[2] ?? 4_173);
serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, (address) => {
  console.log(`Serving the documentation on http://127.0.0.1:${address.port}`);
});
