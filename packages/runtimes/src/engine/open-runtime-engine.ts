import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Engine, EngineError } from "@switchyard/contracts";
import { discoverRuntimes } from "../discovery/discover-runtimes.ts";
import { secretsOfEnv } from "../secrets/secrets-of-env.ts";
import { createRuntimeRegistry, type RuntimeRegistry, type SelectedProvider } from "../selection/runtime-registry.ts";
import { type LocalUser, localFolders } from "../workspace/local-folders.ts";
import { createRuntimeEngine } from "./create-runtime-engine.ts";

const RUNTIME_PATH = /\{\{\s*(?:runtime|extension)_path\s*\}\}/gu;

/** Project code that a runtime engine executes. */
export interface RuntimeCode {
  /** Name of the engine. */
  readonly engine: string;
  /** Description of the code's origin, such as `the package agent-runtimes/acme`. */
  readonly source: string;
  /** Files and folders that contain the code. */
  readonly roots: readonly { readonly name: string; readonly path: string }[];
}

/** Options for `openRuntimeEngine`: where to search for packages, and what their commands may do. */
export interface OpenRuntimeEngineOptions extends LocalUser {
  /** The user's configuration folder, which may contain runtime packages. */
  readonly userFolder: string | undefined;
  /** Trusted project folder whose runtime packages are searched in addition to the user's. Default: none. */
  readonly project?: string | undefined;
  /** Folder of the current project, which may be untrusted. Only the names of its runtime packages are read. */
  readonly currentFolder: string;
  /**
   * Function that checks the code of the project's package before it is executed. A rejection prevents the execution.
   * Default: no check.
   */
  readonly admit?: ((code: RuntimeCode) => Promise<void>) | undefined;
  /** Whether commands of packages may use git push. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /** Returns the time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates the engine `<id>` or `<id>/<backend>` from a runtime package in the user's folder or in a trusted project.
 * The backend is required if the package has several. Rejects with `runtime.*`. Rejects with `engine.not_trusted` if
 * the only package with this id is in the current folder, and that folder is not trusted.
 */
export async function openRuntimeEngine(name: string, options: OpenRuntimeEngineOptions): Promise<Engine> {
  const { env, project, allowGitPush, now } = options;
  const selected = await selectRuntime(name, options);
  if (project !== undefined && selected.runtime.origin !== "user") await options.admit?.(codeOf(selected, project));
  return createRuntimeEngine({
    ...{ selected, env, secrets: secretsOfEnv(env), now, allowGitPush },
    ...localFolders(options),
  });
}

/**
 * Returns the code that must be checked before the engine runs: the folder of the package, and the project files that
 * the package's command names.
 */
function codeOf({ runtime, provider }: SelectedProvider, project: string): RuntimeCode {
  const { id, folder } = runtime;
  const credentialNames = [
    provider.invocation?.argv ?? provider.command_argv ?? provider.command?.split(/[\s"']+/u) ?? [],
  ].flat();
  const named = credentialNames
    .map((name) => ({
      name,
      path: resolve(
        project,
        name.replace(RUNTIME_PATH, () => folder),
      ),
    }))
    .filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  return {
    ...{ engine: `runtime:${id}`, source: `the package agent-runtimes/${id}` },
    roots: [{ name: id, path: folder }, ...named],
  };
}

async function selectRuntime(name: string, options: OpenRuntimeEngineOptions): Promise<SelectedProvider> {
  const [id = "", named] = name.split("/");
  const { packages } = await discoverRuntimes({ user: options.userFolder, project: options.project });
  const registry = createRuntimeRegistry(packages);
  const { runtime } = await resolveRuntime(registry, id, options);
  const backends = new Set(runtime.manifest.agent_task_executors.map(({ backend }) => backend));
  if (named === undefined && backends.size > 1) {
    throw new EngineError("runtime.ambiguous", { runtime: id, found: [...backends].map((one) => `${id}/${one}`) });
  }
  return registry.select({ runtime: id, backend: named ?? [...backends].join("") });
}

async function resolveRuntime(
  registry: RuntimeRegistry,
  id: string,
  { project, currentFolder }: OpenRuntimeEngineOptions,
): Promise<ReturnType<RuntimeRegistry["resolve"]>> {
  try {
    return registry.resolve(id);
  } catch (error) {
    const isName = /^[\w][\w.-]*$/u.test(id);
    const folder = join(currentFolder, "agent-runtimes", id);
    // The project is not trusted, so only the existence of the package's folder is checked, and no file is read.
    const exists =
      project === undefined && isName && (await stat(folder).catch(() => undefined))?.isDirectory() === true;
    if (!exists || !EngineError.is(error, "runtime.not_found")) throw error;
    const details = { engine: `runtime:${id}`, source: `the package agent-runtimes/${id}` };
    throw new EngineError("engine.not_trusted", details, { cause: error });
  }
}
