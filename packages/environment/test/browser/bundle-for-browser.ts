import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** A bundle as a browser gets it. */
export interface BrowserBundle {
  /** Code of one script; what the entry exports are properties of the global `memory`. */
  readonly code: string;
  /** Modules that it is made of. */
  readonly modules: readonly string[];
  /** Modules that it would import where it runs. */
  readonly imports: readonly string[];
}

const ENTRY = fileURLToPath(new URL("../../src/memory/index.ts", import.meta.url));
/** just-bash asks for it in browsers too, for `gzip` and its kind, which fail there. README says so. */
const MISSING = "node:zlib";
const STAND_IN = "\0stand-in";

/** Bundles environments in memory for browsers, with their shell or without. Modules of Node are told as imports. */
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
