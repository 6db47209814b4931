import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** A bundle as a browser gets it. */
export interface BrowserBundle {
  /** Code of one script. Exports of the entry are properties of the global `memory`. */
  readonly code: string;
  /** Modules that it is made of. */
  readonly modules: readonly string[];
  /** Modules that the bundle imports at run time. */
  readonly imports: readonly string[];
}

const ENTRY = fileURLToPath(new URL("../../src/memory/index.ts", import.meta.url));
/** just-bash also imports it in browsers, for `gzip` and similar commands, which fail there. See the README. */
const MISSING = "node:zlib";
const STAND_IN = "\0stand-in";

/** Bundles environments in memory for browsers, with or without a shell. Reports Node modules as imports. */
export async function bundleForBrowser({ withShell = true } = {}): Promise<BrowserBundle> {
  const builtins: string[] = [];
  await using bundle = await rolldown({
    input: ENTRY,
    platform: "browser",
    external: withShell ? [] : ["just-bash"],
    resolve: { conditionNames: ["@switchyard/source", "browser", "import", "module", "default"] },
    plugins: [
      {
        name: "modules-of-node",
        resolveId(source, importer) {
          if (source === MISSING && importer?.includes("just-bash") === true) return STAND_IN;
          if (source.startsWith("node:")) builtins.push(`${source} in ${importer ?? "the entry"}`);
          return null;
        },
        load: (id) => (id === STAND_IN ? "export let constants, gunzipSync, gzipSync;" : null),
      },
    ],
    onLog: () => {},
  });
  const { output } = await bundle.generate({ format: "iife", name: "memory", codeSplitting: false });
  const [{ code, moduleIds, imports, dynamicImports }] = output;
  return { code, modules: moduleIds, imports: [...builtins, ...imports, ...dynamicImports] };
}
