// @ts-check
// The published command: one bundle that is split where the code imports lazily, and what the demo works on.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { ZodFirstPartyTypeKind } from "zod/v3";

const here = import.meta.dirname;
const fixtures = resolve(here, "../../fixtures");
const dist = resolve(here, "dist");

/** Finds its own binary beside it, so it stays a dependency. */
const RIPGREP = "@vscode/ripgrep";

/** The same for requests to models. */
const PLAIN_HEADERS = resolve(here, "../../packages/llm/src/connect/plain-headers.ts");

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  // What is started, and the program that it loads in its own way.
  input: { bin: resolve(here, "src/bin.ts"), main: resolve(here, "src/main.ts") },
  platform: "node",
  plugins: [
    {
      // Providers want a list of names of a library's earlier version, which would come with all of that version.
      name: "kinds-of-earlier-schemas",
      resolveId: (source, importer) =>
        source === "zod/v3" && importer?.includes("@ai-sdk/provider-utils") ? "\0kinds-of-earlier-schemas" : undefined,
      load: (id) =>
        id === "\0kinds-of-earlier-schemas"
          ? `export const ZodFirstPartyTypeKind = ${JSON.stringify(ZodFirstPartyTypeKind)};`
          : undefined,
    },
    {
      // Providers make headers only to add a name to them; `Headers` itself comes with all of Node's `fetch`.
      name: "headers-without-fetch",
      transform: (code, id) =>
        id.includes("@ai-sdk/provider-utils")
          ? `import { PlainHeaders as Headers } from ${JSON.stringify(PLAIN_HEADERS)};\n${code}`
          : undefined,
    },
    {
      // As a file of the bundle that asks for it: the files of the bundle can import nothing by themselves.
      name: "lazy-externals",
      resolveId: (source, _, { kind }) => {
        if (!isBuiltin(source) && source !== RIPGREP) return undefined;
        return kind === "dynamic-import" ? `\0lazy:${source}` : { id: source, external: true };
      },
      load: (id) => (id.startsWith("\0lazy:") ? `export * from "${id.slice("\0lazy:".length)}";` : undefined),
    },
  ],
  // `await using` is compiled down, as it is in the packages.
  transform: { target: "node20.19" },
  resolve: {
    // The one that is made for browsers lacks what `memory` never uses: downloads, threads, interpreters. Half the size.
    alias: { "just-bash": "just-bash/browser" },
    conditionNames: ["@switchyard/source", "node", "import", "module", "default"],
    // jsonc-parser has no exports map, and its main is a form that cannot be bundled.
    mainFields: ["module", "main"],
  },
  onLog(level, log, report) {
    // A module that is both: the lazy import beside the eager one costs nothing.
    const isHarmless = log.code === "INEFFECTIVE_DYNAMIC_IMPORT";
    if (level === "warn" && !isHarmless) throw new Error(`The bundle is not clean: ${log.message}`);
    if (!isHarmless) report(level, log);
  },
});
await bundle.write({
  dir: dist,
  // Node takes half as long to load this as it takes for modules that import each other.
  format: "cjs",
  strict: true,
  entryFileNames: "[name].cjs",
  chunkFileNames: "chunks/[name]-[hash].cjs",
  // Less to read is less to wait for; names stay, for the stacks that `--debug` prints.
  minify: { compress: true, mangle: false, codegen: { legalComments: "inline" } },
  sourcemap: false,
});
await bundle.close();
chmodSync(resolve(dist, "bin.cjs"), 0o755);
cpSync(resolve(fixtures, "demo-project"), resolve(dist, "demo/project"), { recursive: true });
cpSync(resolve(fixtures, "recordings/demo.jsonl"), resolve(dist, "demo/recording.jsonl"));
// What new packages are made of; the stand-in for an agent's command is the one of our own tests.
for (const kind of ["adapter", "engine"]) {
  const template = resolve(dist, `templates/${kind}`);
  cpSync(resolve(fixtures, `new-${kind}`), template, { recursive: true });
  // Only the package itself has a manifest of that name.
  renameSync(resolve(template, "package.json"), resolve(template, "_package.json"));
}
cpSync(
  resolve(fixtures, "scripted-agent/scripted-agent.mjs"),
  resolve(dist, "templates/adapter/test/scripted-agent.mjs"),
);

// Help that needs no parser, as the parser writes it for a pipe and for a wide terminal.
mkdirSync(resolve(dist, "help"));
for (const width of [80, 110]) {
  const asWide = `data:text/javascript,Object.defineProperty(process.stdout, "columns", { value: ${width} })`;
  const text = execFileSync(process.execPath, ["--import", asWide, resolve(dist, "bin.cjs"), "--help"], {
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  writeFileSync(resolve(dist, `help/${width}.txt`), text);
}
