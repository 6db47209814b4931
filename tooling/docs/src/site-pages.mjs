// @ts-check
import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { filesBelow, ROOT } from "@switchyard/checks/repository";

/** A page of the site: its Markdown file in the repository, and in the site. @typedef {{ source: string, page: string }} SitePage */

/** Address of the repository's files, for links to files that are not pages. */
const REPOSITORY = "https://github.com/switchyard/switchyard";

/**
 * Where documents of the repository are in the site: a pattern of their path, and the page.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const PLACES = [
  [/^docs\/README\.md$/, "documents.md"],
  [/^docs\/(.+)\/README\.md$/, "$1/index.md"],
  [/^docs\/(.+\.md)$/, "$1"],
  [/^packages\/README\.md$/, "packages/index.md"],
  [/^(?:packages|apps)\/([^/]+)\/README\.md$/, "packages/$1.md"],
  [/^examples\/README\.md$/, "examples/index.md"],
  [/^examples\/([^/]+)\/README\.md$/, "examples/$1.md"],
];

/** Documents of the root folder, and their pages. @type {Readonly<Record<string, string>>} */
const ROOT_PAGES = {
  "README.md": "index.md",
  "ARCHITECTURE.md": "project/architecture.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "SECURITY.md": "project/security.md",
};

/**
 * Returns the page of a document. `undefined` if the document is not part of the site.
 * @param {string} source path relative to the root of the repository
 * @returns {string | undefined}
 */
export function pageOf(source) {
  const rootPage = ROOT_PAGES[source];
  if (rootPage !== undefined) return rootPage;
  const place = PLACES.find(([pattern]) => pattern.test(source));
  return place === undefined ? undefined : source.replace(...place);
}

/**
 * Returns the documents of the repository that are pages of the site, apart from the home page.
 * @returns {SitePage[]}
 */
export function sitePages() {
  const sources = ["docs", "packages", "apps", "examples"].flatMap((folder) =>
    filesBelow(join(ROOT, folder), (path) => path.endsWith(".md")).map((path) => `${folder}/${path}`),
  );
  const pages = [...sources, ...Object.keys(ROOT_PAGES)].map((source) => ({ source, page: pageOf(source) ?? "" }));
  return pages.filter(({ page }) => page !== "" && page !== "index.md");
}

/**
 * Rewrites the links of a document to the pages of the site. Links to files and folders that are not pages lead to the
 * repository.
 * @param {SitePage} place
 * @param {string} text
 * @returns {string}
 */
export function rewriteLinks({ source, page }, text) {
  return text.replaceAll(/(?<=\]\()[^()\s]+(?=\))/g, (target) => {
    if (/^([a-z][a-z+.-]*:|#)/i.test(target)) return target;
    const [path = "", anchor] = target.split("#");
    const file = posix.join(posix.dirname(source), path);
    return `${siteLink(file, page)}${anchor === undefined ? "" : `#${anchor}`}`;
  });
}

/**
 * @param {string} file path in the repository
 * @param {string} page page that links to it
 * @returns {string}
 */
function siteLink(file, page) {
  const linked = imageOf(file) ?? pageOf(file) ?? pageOf(posix.join(file, "README.md"));
  if (linked !== undefined) {
    const relative = posix.relative(posix.dirname(page), linked);
    return relative.startsWith(".") ? relative : `./${relative}`;
  }
  if (!existsSync(join(ROOT, file))) return file;
  const kind = statSync(join(ROOT, file)).isDirectory() ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/main/${file.replace(/\/$/, "")}`;
}

/** @param {string} file */
function imageOf(file) {
  return file.startsWith("docs/images/") ? file.slice("docs/".length) : undefined;
}
