import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const ENTRY = fileURLToPath(new URL("./child.ts", import.meta.url));

/** Makes one program of a step and everything it imports, so that a process begins in no time. Gives its folder. */
export async function bundleStep(): Promise<{ folder: string; program: string }> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-agent-step-"));
  const bundle = await rolldown({
    input: ENTRY,
    platform: "node",
    // Finds its own binary beside it; without it the environment searches by itself.
    external: ["@vscode/ripgrep"],
    transform: { target: "node20.19" },
    resolve: { conditionNames: ["@switchyard/source", "node", "import", "module", "default"] },
    onLog: () => {},
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "child.mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  return { folder, program: join(folder, "child.mjs") };
}
