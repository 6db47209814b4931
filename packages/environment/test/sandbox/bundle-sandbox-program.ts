import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Bundles the program into one file that any user may run. Returns its path and a function that removes it. */
export async function bundleSandboxProgram(): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-program-"));
  chmodSync(folder, 0o755);
  await using bundle = await rolldown({
    input: join(import.meta.dirname, "sandbox-program.ts"),
    platform: "node",
    transform: { target: "node20.19" },
    resolve: { conditionNames: ["@switchyard/source", "node", "import", "module", "default"] },
    onLog: () => {},
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "program.mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  return { path: join(folder, "program.mjs"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
