// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * A link of a document to another file of the repository, or to a heading.
 * @typedef {{ line: number, path: string, anchor: string | undefined }} DocumentLink
 */

/**
 * Returns the lines of a Markdown text without code, which contains no links and headings.
 * @param {string} text
 * @returns {string[]}
 */
function linesOfProse(text) {
  let fence = "";
  return text.split("\n").map((line) => {
    const [, mark = ""] = /^\s*(`{3,})/.exec(line) ?? [];
    if (fence === "") {
      fence = mark;
      return mark === "" ? line : "";
    }
    if (mark.length >= fence.length && line.trim() === mark) fence = "";
    return "";
  });
}

/**
 * Returns the relative links of a Markdown text. External links are skipped, because checks do not use the network.
 * @param {string} text
 * @returns {DocumentLink[]}
 */
export function documentLinks(text) {
  return linesOfProse(text).flatMap((line, index) => {
    const withoutCode = line.replaceAll(/(?<!\[)`[^`]*`/g, "");
    const targets = [
      ...withoutCode.matchAll(/\]\(([^()\s]+)\)/g),
      ...withoutCode.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/g),
    ].map(([, target = ""]) => target);
    return targets
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
      .map((target) => {
        const [path = "", anchor] = target.split("#");
        return { line: index + 1, path: decodeURIComponent(path), anchor };
      });
  });
}

/**
 * Returns GitHub's anchors of a Markdown text's headings.
 * @param {string} text
 * @returns {Set<string>}
 */
export function headingAnchors(text) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Set<string>} */
  const anchors = new Set();
  for (const line of linesOfProse(text)) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const visible = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const slug = visible
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/**
 * Returns the documents to which an index page does not link.
 * @param {string} root folder of the repository
 * @param {string} index path of the index page, relative to the root
 * @param {readonly string[]} documents paths relative to the root
 * @returns {string[]} problems
 */
export function unlistedDocuments(root, index, documents) {
  const links = documentLinks(readFileSync(join(root, index), "utf8"));
  const listed = new Set(links.map(({ path }) => posix.join(posix.dirname(index), path)));
  return documents.filter((path) => !listed.has(path)).map((path) => `${index} does not link to ${path}.`);
}

/**
 * Returns links of a document to files, folders or headings that do not exist.
 * @param {string} root folder of the repository
 * @param {string} document path relative to the root
 * @returns {string[]} problems
 */
export function brokenLinks(root, document) {
  return documentLinks(readFileSync(join(root, document), "utf8")).flatMap(({ line, path, anchor }) => {
    const target = path === "" ? document : posix.join(posix.dirname(document), path);
    const place = `${document}:${line}`;
    if (target.startsWith("../")) return [`${place} links to ${path}, outside the repository.`];
    if (!existsSync(join(root, target))) return [`${place} links to ${path}, which does not exist.`];
    if (anchor === undefined || !target.endsWith(".md")) return [];
    const anchors = headingAnchors(readFileSync(join(root, target), "utf8"));
    return anchors.has(anchor) ? [] : [`${place} links to #${anchor}, but ${target} has no such heading.`];
  });
}
