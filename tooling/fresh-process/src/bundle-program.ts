import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** A program on the disk; disposal removes it. */
export interface BundledProgram extends AsyncDisposable {
  /** Where it is. */
  readonly path: string;
}

/** Makes one program of a module and everything it imports, from source, so that a process of it begins in no time. */
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
