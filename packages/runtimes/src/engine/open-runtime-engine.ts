import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Engine, EngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import {
  createRuntimeEngine,
  createRuntimeRegistry,
  type RuntimeRegistry,
  type SelectedProvider,
} from "@switchyard/runtimes";
import type { CodeSource, ProjectCode } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { confineFolder } from "../workspace/local-folders.ts";
import { findRuntimesIn } from "./find-runtimes.ts";
import { secretsOf } from "../secrets/secrets-of-env.ts";

const RUNTIME_PATH = /\{\{\s*(?:runtime|extension)_path\s*\}\}/gu;

/** Options for pushes with git. */
export interface PushChoice {
  /** Whether commands of packages may use git push. Default: false. */
  allowGitPush?: boolean | undefined;
}

/** Options for `openRuntimeEngine`: packages to search, and permissions of their commands. */
export interface RuntimeChoice extends PushChoice {
  /** Trusted project folder whose runtime packages are searched in addition to the user's. Default: none. */
  readonly project?: string | undefined;
  /** Check that the code of the project's packages is unchanged. Default: no check. */
  readonly code?: ProjectCode | undefined;
}

/**
 * Creates the engine `runtime:<id>` or `runtime:<id>/<backend>` from a runtime package in the user's folder or in a
 * trusted project. The backend is required if the package has several. Rejects with `runtime.*`. Rejects with
 * `engine.not_trusted` if only the current folder has a package with this id and the folder is not trusted.
 */
export async function openRuntimeEngine(
  context: CommandContext,
  name: string,
  { allowGitPush, project, code }: RuntimeChoice,
): Promise<Engine> {
  const { env } = context;
  const selected = await selectRuntime(context, name, project);
  if (project !== undefined && selected.runtime.origin !== "user") await code?.admit(codeOf(selected, project));
  return createRuntimeEngine({
    ...{ selected, env, secrets: secretsOf(env), now: () => context.now() },
    openFolder: (root) => openLocalEnvironment({ root, env }),
    confineFolder: (root, rules) => confineFolder(context, root, rules),
    allowGitPush,
  });
}

/**
 * Returns the code to check before the engine runs: the folder of the package, and the project files that the package's
 * command names.
 */
function codeOf({ runtime, provider }: SelectedProvider, project: string): CodeSource {
  const { id, folder } = runtime;
  const words = [
    provider.invocation?.argv ?? provider.command_argv ?? provider.command?.split(/[\s"']+/u) ?? [],
  ].flat();
  const named = words
    .map((word) => ({
      name: word,
      path: resolve(
        project,
        word.replace(RUNTIME_PATH, () => folder),
      ),
    }))
    .filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  return {
    ...{ engine: `runtime:${id}`, source: `the package agent-runtimes/${id}` },
    roots: [{ name: id, path: folder }, ...named],
  };
}

async function selectRuntime(
  context: CommandContext,
  name: string,
  project: string | undefined,
): Promise<SelectedProvider> {
  const [id = "", named] = name.split("/");
  const { packages } = await findRuntimesIn(context, project);
  const registry = createRuntimeRegistry(packages);
  const { runtime } = await resolveRuntime(context, registry, { id, project });
  const backends = new Set(runtime.manifest.agent_task_executors.map(({ backend }) => backend));
  if (named === undefined && backends.size > 1) {
    throw new EngineError("runtime.ambiguous", { runtime: id, found: [...backends].map((one) => `${id}/${one}`) });
  }
  return registry.select({ runtime: id, backend: named ?? [...backends].join("") });
}

async function resolveRuntime(
  { workingDirectory }: CommandContext,
  registry: RuntimeRegistry,
  { id, project }: { id: string; project: string | undefined },
): Promise<ReturnType<RuntimeRegistry["resolve"]>> {
  try {
    return registry.resolve(id);
  } catch (error) {
    const isName = /^[\w][\w.-]*$/u.test(id);
    const folder = join(workingDirectory, "agent-runtimes", id);
    // Only checks whether the folder of the package exists. Its files are not read, because the project is not trusted.
    const isThere =
      project === undefined && isName && (await stat(folder).catch(() => undefined))?.isDirectory() === true;
    if (!isThere || !EngineError.is(error, "runtime.not_found")) throw error;
    const details = { engine: `runtime:${id}`, source: `the package agent-runtimes/${id}` };
    throw new EngineError("engine.not_trusted", details, { cause: error });
  }
}
