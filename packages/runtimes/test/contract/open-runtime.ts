import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { type Secret, secret } from "@switchyard/secrets";
import type { ReceivedTask, RuntimeFactory } from "@switchyard/testkit";
import { z } from "zod";
import { createRuntimeRegistry, executeTask, loadRuntimePackage } from "../../src/index.ts";

const PROGRAM = fileURLToPath(new URL("./provider-program.mjs", import.meta.url));

const received: z.ZodType<ReceivedTask> = z.object({
  stdin: z.string(),
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
});

/**
 * A package on this disk whose command is a Node.js program. The path of its folder contains characters that are
 * special to shells.
 */
export const openRuntime: RuntimeFactory = async ({ provider, behaviour, secrets, variables, files }) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "switchyard-runtime-")));
  const folder = join(base, 'it\'s "a" $package', "sample");
  const workspace = join(base, "workspace");
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  await mkdir(workspace);
  const manifest = {
    schema: "homeboy/agent-runtime-manifest/v1",
    id: "sample",
    agent_task_executors: [
      { id: "sample.any", backend: "sample", command: "node {{runtime_path}}/execute.mjs", ...provider },
    ],
  };
  await write(join(folder, "sample.json"), JSON.stringify(manifest));
  await write(join(folder, "behaviour.json"), JSON.stringify(behaviour));
  await write(join(folder, "execute.mjs"), await readFile(PROGRAM, "utf8"));
  for (const [path, text] of Object.entries(files)) await write(join(workspace, path), text);
  const env = { ...process.env, ...variables };
  return {
    ...{ backend: "sample", workspace, runtimePath: folder },
    async execute(request, signal) {
      const registry = createRuntimeRegistry([await loadRuntimePackage(folder)]);
      return executeTask(request, {
        selected: registry.select({ backend: "sample" }),
        openFolder: (root) => openLocalEnvironment({ root, env }),
        secrets: Object.fromEntries(
          Object.entries(secrets).map(([name, value]): [string, Secret] => [name, secret(value)]),
        ),
        signal,
        // Short, so that the tests do not wait.
        pause: () => Promise.resolve(),
      });
    },
    async received() {
      const text = await readFile(join(base, "received.jsonl"), "utf8").catch(() => "");
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.map((line) => received.parse(JSON.parse(line)));
    },
    dispose: () => rm(base, { recursive: true, force: true }),
  };
};
