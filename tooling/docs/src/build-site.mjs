// @ts-check
// `pnpm docs:build`: writes the documentation site to tooling/docs/dist.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { publishedPackages, ROOT } from "@switchyard/checks/repository";
import { build } from "vitepress";
import { writeApiReference } from "./api-reference.mjs";
import { brokenPages } from "./broken-pages.mjs";
import { apiFileOf } from "./entry-points.mjs";
import { rewriteLinks, sitePages } from "./site-pages.mjs";

const PACKAGE = join(import.meta.dirname, "..");
const PAGES = join(PACKAGE, ".cache/pages");

const startedAt = Date.now();
rmSync(PAGES, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
const count = await writeApiReference(join(PAGES, "api"));
const withApi = new Set(publishedPackages().map(({ manifest }) => `packages/${apiFileOf(manifest.name)}.md`));
const pages = sitePages();
for (const place of pages) {
  const file = join(PAGES, place.page);
  mkdirSync(dirname(file), { recursive: true });
  const text = rewriteLinks(place, readFileSync(join(ROOT, place.source), "utf8"));
  writeFileSync(file, `${text}${apiLink(place.page)}`);
}
// Pages refer to images beside them, the home page to public files.
for (const folder of ["images", "public/images"]) {
  cpSync(join(ROOT, "docs/images"), join(PAGES, folder), { recursive: true });
}
writeFileSync(join(PAGES, "index.md"), `---\n${readFileSync(join(PACKAGE, "site/home.yaml"), "utf8")}---\n`);
await build(join(PACKAGE, "site"));
const problems = brokenPages(join(PACKAGE, "dist"));
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
console.log(`Wrote ${pages.length + 1} pages and ${count} API pages to tooling/docs/dist in ${seconds} s.`);

/** @param {string} page */
function apiLink(page) {
  const file = page.replace("packages/", "api/");
  if (!withApi.has(page) || !existsSync(join(PAGES, file))) return "";
  return `\n## API reference\n\n[All exports](../${file}) of this package.\n`;
}
