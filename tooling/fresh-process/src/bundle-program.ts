import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** A program on disk, removed on disposal. */
export interface BundledProgram extends AsyncDisposable {
  /** Path of the program. */
  readonly path: string;
}

/** Bundles a module and its imports from source into one program, whose processes start quickly. */
export async function bundleProgram(module: string): Promise<BundledProgram> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-engine-program-"));
  const bundle = await rolldown({
    input: module,
    platform: "node",
    transform: { target: "node20.19" },
    resolve: { conditionNames: ["@switchyard/source", "node", "import", "module", "default"] },
    onLog: () => {},
  });
  await bundle.write({
    dir: directory,
    format: "esm",
    entryFileNames: "program.mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
  return {
    path: join(directory, "program.mjs"),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
