// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publishedPackages, ROOT } from "@switchyard/checks/repository";
import { apiPageOf, entryPoints } from "./entry-points.mjs";
import { pageOf, sitePages } from "./site-pages.mjs";

/** @typedef {{ text: string, link: string, activeMatch?: string }} NavigationLink */
/** @typedef {{ text: string, items: NavigationLink[] }} NavigationGroup */

/** Rows of docs/README.md that are guides. */
const GUIDE_ROWS = ["Run agents", "Build on it", "Operate it"];

/** The four kinds of documents, and the API reference. @type {NavigationLink[]} */
export const NAVIGATION = [
  { text: "Tutorials", link: "/tutorials/quick-start", activeMatch: "^/tutorials/" },
  { text: "Guides", link: "/guides/environments", activeMatch: "^/guides/" },
  { text: "Concepts", link: "/concepts/", activeMatch: "^/concepts/" },
  { text: "Reference", link: "/packages/cli", activeMatch: "^/(packages|reference|examples|project)/" },
  { text: "API", link: "/api/", activeMatch: "^/api/" },
];

/**
 * Returns the sidebar of each part of the site. Its groups are the rows of docs/README.md; pages that no row names
 * follow in a separate group.
 * @returns {Record<string, NavigationGroup[]>}
 */
export function sidebars() {
  const rows = indexRows();
  const concepts = { text: "Concepts", items: pagesBelow("concepts/") };
  const guides = GUIDE_ROWS.map((text) => ({ text, items: rows.get(text) ?? [] }));
  const reference = [
    { text: "Reference", items: rows.get("Reference") ?? [] },
    { text: "Project", items: [...(rows.get("Project") ?? []), { text: "All documents", link: "/documents" }] },
    { text: "Packages", items: packageLinks() },
  ];
  return {
    "/tutorials/": [{ text: "Tutorials", items: rows.get("Tutorials") ?? [] }],
    "/guides/": withRest(guides, "More guides", pagesBelow("guides/")),
    "/concepts/": [concepts],
    "/api/": [{ text: "API reference", items: apiLinks() }],
    "/": withRest(reference, "More tables", pagesBelow("reference/")),
  };
}

/** @returns {Map<string, NavigationLink[]>} */
function indexRows() {
  const lines = readFileSync(join(ROOT, "docs/README.md"), "utf8").split("\n");
  const rows = lines.flatMap((line) => {
    const [, name = "", cells = ""] = /^\| ([^|]+) \| (.+) \|$/.exec(line) ?? [];
    const links = [...cells.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
    const items = links.map(([, text = "", path = ""]) => ({ text, link: linkTo(pageOf(join("docs", path)) ?? "") }));
    return name === "" ? [] : [/** @type {const} */ ([name, items])];
  });
  return new Map(rows);
}

/**
 * @param {readonly NavigationGroup[]} groups
 * @param {string} text
 * @param {readonly NavigationLink[]} pages
 * @returns {NavigationGroup[]}
 */
function withRest(groups, text, pages) {
  const named = new Set(groups.flatMap(({ items }) => items.map(({ link }) => link)));
  const items = pages.filter(({ link }) => !named.has(link));
  return items.length === 0 ? [...groups] : [...groups, { text, items }];
}

/** @param {string} prefix @returns {NavigationLink[]} */
function pagesBelow(prefix) {
  const pages = sitePages().filter(({ page }) => page.startsWith(prefix));
  const links = pages.map(({ source, page }) => ({ text: titleOf(source), link: linkTo(page) }));
  return links.sort((a, b) => Number(b.link.endsWith("/")) - Number(a.link.endsWith("/")));
}

/** @returns {NavigationLink[]} */
function packageLinks() {
  const names = publishedPackages().map(({ manifest }) => manifest.name.replace("@switchyard/", ""));
  return names.sort().map((name) => ({ text: name, link: `/packages/${name}` }));
}

/** @returns {NavigationLink[]} */
function apiLinks() {
  const links = entryPoints().map(({ name }) => ({ text: name.replace("@switchyard/", ""), link: apiPageOf(name) }));
  return [{ text: "All packages", link: "/api/" }, ...links];
}

/** @param {string} source */
function titleOf(source) {
  const [, title = source] = /^# (.+)$/m.exec(readFileSync(join(ROOT, source), "utf8")) ?? [];
  return title.replaceAll("`", "");
}

/** @param {string} page */
function linkTo(page) {
  return `/${page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;
}
