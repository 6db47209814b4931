import { type Engine, EngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { createRuntimeEngine, createRuntimeRegistry, type SelectedProvider } from "@switchyard/runtimes";
import type { World } from "../world/world.ts";
import { confineFolder } from "./confine-folder.ts";
import { findRuntimes } from "./find-runtimes.ts";
import { secretsOf } from "./secrets-of.ts";

/** Whether commands of packages may push with git. */
export interface PushChoice {
  /** They may not by default. */
  allowGitPush?: boolean | undefined;
}

/**
 * Makes the engine `runtime:<id>` or `runtime:<id>/<backend>` of a package in the user's folder; the backend is needed
 * where the package has several. Rejects with `runtime.*`.
 */
export async function openRuntimeEngine(world: World, name: string, { allowGitPush }: PushChoice): Promise<Engine> {
  const { env } = world;
  return createRuntimeEngine({
    ...{ selected: await selectRuntime(world, name), env, secrets: secretsOf(env), now: () => world.now() },
    openFolder: (root) => openLocalEnvironment({ root, env }),
    confineFolder: (root, rules) => confineFolder(world, root, rules),
    allowGitPush,
  });
}

async function selectRuntime(world: World, name: string): Promise<SelectedProvider> {
  const [id = "", named] = name.split("/");
  const { packages } = await findRuntimes(world, {});
  const registry = createRuntimeRegistry(packages);
  const { runtime } = registry.resolve(id);
  const backends = new Set(runtime.manifest.agent_task_executors.map(({ backend }) => backend));
  if (named === undefined && backends.size > 1) {
    throw new EngineError("runtime.ambiguous", { runtime: id, found: [...backends].map((one) => `${id}/${one}`) });
  }
  return registry.select({ runtime: id, backend: named ?? [...backends].join("") });
}
