// @ts-check
// Builds the published command: a bundle that is split where the code imports lazily, and the files for the demo.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { ZodFirstPartyTypeKind } from "zod/v3";

const here = import.meta.dirname;
const fixtures = resolve(here, "../../fixtures");
const dist = resolve(here, "dist");

/** External dependency, because this package locates its binary relative to its own files. */
const RIPGREP = "@vscode/ripgrep";

/** Replacement for `Headers` that the code for model requests uses as well. */
const PLAIN_HEADERS = resolve(here, "../../packages/llm/src/connect/plain-headers.ts");

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  // `bin` is the executable. It loads `main`, the program, with its own loader.
  input: { bin: resolve(here, "src/bin.ts"), main: resolve(here, "src/main.ts") },
  platform: "node",
  plugins: [
    {
      // Providers need only a list of names from `zod/v3`, but importing it would add the whole earlier version of the
      // library.
      name: "kinds-of-earlier-schemas",
      resolveId: (source, importer) =>
        source === "zod/v3" && importer?.includes("@ai-sdk/provider-utils") ? "\0kinds-of-earlier-schemas" : undefined,
      load: (id) =>
        id === "\0kinds-of-earlier-schemas"
          ? `export const ZodFirstPartyTypeKind = ${JSON.stringify(ZodFirstPartyTypeKind)};`
          : undefined,
    },
    {
      // Providers create `Headers` only to add a name to them, but `Headers` would load all of Node's `fetch`.
      name: "headers-without-fetch",
      transform: (code, id) =>
        id.includes("@ai-sdk/provider-utils")
          ? `import { PlainHeaders as Headers } from ${JSON.stringify(PLAIN_HEADERS)};\n${code}`
          : undefined,
    },
    {
      // A lazily imported external module becomes a chunk that requires it, because files of the bundle cannot use
      // `import()`.
      name: "lazy-externals",
      resolveId: (source, _, { kind }) => {
        if (!isBuiltin(source) && source !== RIPGREP) return undefined;
        return kind === "dynamic-import" ? `\0lazy:${source}` : { id: source, external: true };
      },
      load: (id) => (id.startsWith("\0lazy:") ? `export * from "${id.slice("\0lazy:".length)}";` : undefined),
    },
  ],
  // `await using` is compiled to older syntax, as in the packages.
  transform: { target: "node20.19" },
  resolve: {
    // The browser build of just-bash has half the size. It lacks only features that the environment `memory` does not
    // use: downloads, threads and interpreters.
    alias: { "just-bash": "just-bash/browser" },
    conditionNames: ["@switchyard/source", "node", "import", "module", "default"],
    // jsonc-parser has no exports map, and the module format of its `main` cannot be bundled.
    mainFields: ["module", "main"],
  },
  onLog(level, log, report) {
    // A module that is imported both lazily and eagerly is harmless.
    const isHarmless = log.code === "INEFFECTIVE_DYNAMIC_IMPORT";
    if (level === "warn" && !isHarmless) throw new Error(`The bundle is not clean: ${log.message}`);
    if (!isHarmless) report(level, log);
  },
});
await bundle.write({
  dir: dist,
  // Node loads CommonJS files in half the time that it needs for ES modules.
  format: "cjs",
  strict: true,
  entryFileNames: "[name].cjs",
  chunkFileNames: "chunks/[name]-[hash].cjs",
  // Smaller files load faster. Names are preserved for the stack traces that `--debug` prints.
  minify: { compress: true, mangle: false, codegen: { legalComments: "inline" } },
  sourcemap: false,
});
await bundle.close();
chmodSync(resolve(dist, "bin.cjs"), 0o755);
cpSync(resolve(fixtures, "demo-project"), resolve(dist, "demo/project"), { recursive: true });
cpSync(resolve(fixtures, "recordings/demo.jsonl"), resolve(dist, "demo/recording.jsonl"));
// Templates for new packages. Their simulated agent command is the one that our tests use.
for (const kind of ["adapter", "engine"]) {
  const template = resolve(dist, `templates/${kind}`);
  cpSync(resolve(fixtures, `new-${kind}`), template, { recursive: true });
  // A package must contain only its own `package.json`, so the template's is renamed.
  renameSync(resolve(template, "package.json"), resolve(template, "_package.json"));
}
cpSync(
  resolve(fixtures, "scripted-agent/scripted-agent.mjs"),
  resolve(dist, "templates/adapter/test/scripted-agent.mjs"),
);

// Stores the help text, as the parser renders it for pipes and for wide terminals, so that `--help` does not load the
// parser.
mkdirSync(resolve(dist, "help"));
for (const width of [80, 110]) {
  const asWide = `data:text/javascript,Object.defineProperty(process.stdout, "columns", { value: ${width} })`;
  const text = execFileSync(process.execPath, ["--import", asWide, resolve(dist, "bin.cjs"), "--help"], {
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  writeFileSync(resolve(dist, `help/${width}.txt`), text);
}
