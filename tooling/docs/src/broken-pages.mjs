// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { filesBelow } from "@switchyard/checks/repository";

/**
 * Returns what is wrong with a built site: pages that were not rendered, and links to pages, files or headings that do not
 * exist. VitePress checks links between documents, but neither headings nor rendering.
 * @param {string} site folder of the built site
 * @returns {string[]} problems
 */
export function brokenPages(site) {
  const pages = filesBelow(site, (path) => path.endsWith(".html") && path !== "404.html");
  /** @type {Map<string, { html: string, ids: Set<string> }>} */
  const read = new Map();
  for (const page of pages) {
    const html = readFileSync(join(site, page), "utf8");
    read.set(page, { html, ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)) });
  }
  return [...read].flatMap(([page, { html }]) => {
    const rendered = html.includes("<h1") ? [] : [`${page} has no heading: it was not rendered.`];
    const links = new Set([...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href));
    const broken = [...links].filter((href) => !leadsSomewhere(href));
    return [...rendered, ...broken.map((href) => `${page} links to ${href}, which does not exist.`)];

    /** @param {string} href */
    function leadsSomewhere(href) {
      if (/^[a-z][a-z+.-]*:/i.test(href)) return true;
      const [path = "", anchor] = href.split("#");
      const absolute = path === "" ? page : posix.join(path.startsWith("/") ? "" : posix.dirname(page), path);
      const file = absolute.replace(/^\//, "");
      const found = [file, `${file}.html`, posix.join(file, "index.html")].find((one) => read.has(one));
      if (found === undefined) return path !== "" && existsSync(join(site, file));
      return anchor === undefined || anchor === "" || read.get(found)?.ids.has(decodeURIComponent(anchor)) === true;
    }
  });
}
