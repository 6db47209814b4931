// @ts-check
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { headingAnchors } from "@switchyard/checks/document-links";
import { filesBelow } from "@switchyard/checks/repository";
import { Application } from "typedoc";
import { apiFileOf, apiPageOf, entryPoints } from "./entry-points.mjs";

const PACKAGE = join(import.meta.dirname, "..");

/** Options of typedoc-plugin-markdown: tables instead of long lists, one page per entry point. */
const MARKDOWN = {
  outputFileStrategy: "modules",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: false,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  enumMembersFormat: "table",
  useCodeBlocks: true,
};

/**
 * Writes the API reference: one page for each public entry point of the published packages, from the TSDoc of the sources.
 * @param {string} folder
 * @returns {Promise<number>} the number of entry points
 */
export async function writeApiReference(folder) {
  const points = entryPoints();
  const raw = join(PACKAGE, ".cache/api");
  rmSync(raw, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    entryPoints: points.map(({ file }) => file),
    tsconfig: join(PACKAGE, "tsconfig.api.json"),
    plugin: ["typedoc-plugin-markdown"],
    // The sources are checked by the compiler of the repository.
    skipErrorChecking: true,
    readme: "none",
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    logLevel: "Error",
    groupOrder: ["Functions", "Classes", "Variables", "*"],
    outputs: [{ name: "markdown", path: raw }],
    ...MARKDOWN,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc could not read the sources.");
  const names = new Map(points.map(({ name, file }) => [file, name]));
  for (const module of project.children ?? []) {
    const source = project.getSymbolIdFromReflection(module)?.fileName;
    const name = names.get(source ?? "");
    if (name === undefined) throw new Error(`typedoc has a module ${module.name} that is not an entry point.`);
    module.name = apiFileOf(name);
  }
  for (const reflection of Object.values(project.reflections)) {
    if (reflection.name === "__namedParameters") reflection.name = "options";
  }
  await app.generateOutputs(project);
  writePages(raw, folder);
  return points.length;
}

/**
 * Corrects links to headings. For a type and a value of one name, typedoc numbers the link but writes one heading.
 * @param {string} text
 * @param {(path: string) => ReadonlySet<string> | undefined} anchorsOf returns the anchors of a page
 * @returns {string}
 */
function fixAnchors(text, anchorsOf) {
  return text.replaceAll(/(?<=\]\()[\w.-]*#[\w-]+-\d+(?=\))/g, (link) => {
    const [path = "", anchor = ""] = link.split("#");
    const base = anchor.replace(/-\d+$/, "");
    const anchors = anchorsOf(path);
    return anchors?.has(anchor) === false && anchors.has(base) ? `${path}#${base}` : link;
  });
}

/**
 * Gives each page the name of its entry point as title.
 * @param {string} raw folder with typedoc's pages
 * @param {string} folder
 */
function writePages(raw, folder) {
  mkdirSync(folder, { recursive: true });
  const files = filesBelow(raw, (path) => path.endsWith(".md"));
  const texts = new Map(files.map((file) => [file, readFileSync(join(raw, file), "utf8")]));
  const anchors = new Map([...texts].map(([file, text]) => [file, headingAnchors(text)]));
  for (const { name, description } of entryPoints()) {
    const file = `${apiFileOf(name)}.md`;
    const text = texts.get(file);
    if (text === undefined) throw new Error(`typedoc wrote no page for ${name}.`);
    const body = fixAnchors(text.replace(/^# .*\n/, ""), (path) => anchors.get(path === "" ? file : path));
    const isMain = name.split("/").length === 2;
    const guide = isMain ? ` See also [its README](../packages/${apiFileOf(name)}.md).` : "";
    const head = `---\noutline: [2, 3]\n---\n\n# ${name}\n\n${description}${guide}\n`;
    writeFileSync(join(folder, file), `${head}${body}`);
  }
  const rows = entryPoints().map(({ name, description }) => `| [\`${name}\`](${apiPageOf(name)}) | ${description} |`);
  const table = `| Import | Contains |\n|---|---|\n${rows.join("\n")}\n`;
  writeFileSync(
    join(folder, "index.md"),
    `# API reference\n\nAll public entry points of the published packages.\n\n${table}`,
  );
}
