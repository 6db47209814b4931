// @ts-check
// Bundles the page to one script and one style sheet. Writes them into a module, so that a server finds the files
// wherever it is bundled.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";

const here = import.meta.dirname;
const bundle = await rolldown({
  input: resolve(here, "page/main.tsx"),
  platform: "browser",
  tsconfig: resolve(here, "tsconfig.page.json"),
  transform: { target: "es2022" },
  resolve: { conditionNames: ["@switchyard/source", "browser", "import", "module", "default"] },
  onLog(level, log, report) {
    if (level === "warn") throw new Error(`The bundle is not clean: ${log.message}`);
    report(level, log);
  },
});
const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
await bundle.close();
const script = output[0].code;
const style = ["tokens", "base", "controls", "runs", "run", "timeline", "changes", "narrow"]
  .map((name) => readFileSync(resolve(here, `page/style/${name}.css`), "utf8"))
  .join("\n");

/** @param {string} name @param {string} extension @param {string} body */
function pathOf(name, extension, body) {
  return `/assets/${name}-${createHash("sha256").update(body).digest("hex").slice(0, 16)}.${extension}`;
}

const scriptPath = pathOf("dashboard", "js", script);
const stylePath = pathOf("dashboard", "css", style);
const icon = readFileSync(resolve(here, "page/favicon.svg"), "utf8");
const iconPath = pathOf("icon", "svg", icon);
const page = readFileSync(resolve(here, "page/index.html"), "utf8")
  .replace("{{script}}", () => scriptPath)
  .replace("{{style}}", () => stylePath)
  .replace("{{icon}}", () => iconPath);
const files = [
  { path: "/", mediaType: "text/html; charset=utf-8", body: page, isImmutable: false },
  { path: scriptPath, mediaType: "text/javascript; charset=utf-8", body: script, isImmutable: true },
  { path: stylePath, mediaType: "text/css; charset=utf-8", body: style, isImmutable: true },
  { path: iconPath, mediaType: "image/svg+xml", body: icon, isImmutable: true },
];
writeFileSync(resolve(here, "built/files.js"), `export const FILES = ${JSON.stringify(files, undefined, 1)};\n`);
