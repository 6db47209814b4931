import { randomUUID } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ExecResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { Owner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import type { ContainerPlan, ContainerVolumes } from "./container-arguments.ts";
import { planContainer } from "./container-arguments.ts";
import { detectFlavour, RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import { currentUser, findContainerUser } from "./container-user.ts";
import type { DockerImageOptions } from "./docker-options.ts";
import { explainEngine } from "./explain-engine.ts";
import { needsHome } from "./needs-home.ts";
import { type HomeOptions, prepareHome } from "./prepare-home.ts";

const DEFAULT_START_TIMEOUT_MS = 300_000;
/** Maximum number of attempts to remove a container. */
const REMOVAL_TRIES = 3;
const REMOVAL_PAUSE_MS = 300;

/** A container created for a run. */
export interface CreatedContainer {
  readonly name: string;
  /** User that runs commands. `undefined`: the image's user. */
  readonly user: string | undefined;
  /** Home folder of the user that runs commands. `undefined`: the image's setting. */
  readonly home: string | undefined;
  readonly workingDirectory: string;
  /**
   * Removes the container and its volumes. Never rejects: if removal fails, the next cleanup of abandoned containers
   * removes the container.
   */
  remove(): Promise<void>;
}

/** Owner and contents of a new container. */
export interface NewContainer {
  /** Process that owns the container. */
  readonly owner: Owner;
  /**
   * Folders of this machine whose content is copied into the container before its first process starts. Each key is a
   * path in the container.
   */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly volumes?: ContainerVolumes | undefined;
}

/**
 * Creates a container from an image and starts it. Removes the container again if it cannot be started.
 *
 * Throws `config.invalid`, `workspace.not_found`, `workspace.not_a_directory` and `environment.unavailable`.
 */
export async function createContainer(
  engine: ClientProgram,
  options: DockerImageOptions,
  { owner, files, volumes }: NewContainer,
): Promise<CreatedContainer> {
  const workspace = await findWorkspace(options.workspace);
  const { signal } = options;
  const flavour = await detectFlavour(engine, signal);
  const hasWorkspace = workspace !== undefined;
  const choice = { user: options.user, hasWorkspace, flavour, caller: currentUser(), signal };
  const user = await findContainerUser(engine, choice);
  const plan = planContainer(
    { ...options, workspace },
    {
      ...{ mark: randomUUID(), token: owner.token, flavour, user, volumes },
    },
  );
  let isFinished = false;
  try {
    const limits = { signal: options.signal, timeoutMs: options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS };
    const result = await startContainer(engine, plan, { files, limits });
    isFinished = !result.aborted && !result.timedOut;
    options.signal?.throwIfAborted();
    if (result.exitCode !== 0 || result.timedOut) throw explainStart(options, result);
    if (workspace === undefined && options.usesImageFiles !== true) await openToUser(engine, options, plan);
    const home = needsHome(user) ? await prepareHome(engine, homeOptions(options, plan.name, user)) : undefined;
    return { ...plan, home, remove: () => removeContainer(engine, plan.name) };
  } catch (error) {
    await (isFinished ? tryToRemove(engine, plan.name) : removeUnfinished(engine, plan.name));
    throw error;
  }
}

interface Start {
  readonly files: Readonly<Record<string, string>> | undefined;
  readonly limits: { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number };
}

/**
 * Creates the container, copies files into it, and starts it. Stops at the first failed command and resolves with its
 * result.
 */
async function startContainer(engine: ClientProgram, plan: ContainerPlan, { files = {}, limits }: Start) {
  const copied = Object.entries(files);
  if (copied.length === 0) return engine.run(["run", "--detach", ...plan.args], limits);
  // A trailing `/.` copies the content of the folder, not the folder itself.
  const copies = copied.map(([path, folder]) => ["cp", `${folder}/.`, `${plan.name}:${path}`]);
  let result = await engine.run(["create", ...plan.args], limits);
  for (const args of [...copies, ["start", plan.name]]) {
    if (result.exitCode !== 0 || result.timedOut || result.aborted) break;
    result = await engine.run(args, limits);
  }
  return result;
}

function homeOptions(
  { image, readOnlyRoot, signal }: DockerImageOptions,
  container: string,
  user: string,
): HomeOptions {
  return { container, image, user, readOnlyRoot: readOnlyRoot === true, signal };
}

/**
 * Returns the absolute path of the workspace on the host. The container engine needs an absolute path; links in the
 * path are resolved on the host.
 */
async function findWorkspace(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  if (path === "") throw new EngineError("config.invalid", { field: "workspace", problem: "it is empty" });
  try {
    const real = await realpath(resolve(path));
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new EngineError("workspace.not_found", { path }, { cause: error });
  }
  throw new EngineError("workspace.not_a_directory", { path });
}

function explainStart(options: DockerImageOptions, result: ExecResult): EngineError {
  const environment = `docker:${options.image}`;
  if (!result.timedOut) return explainEngine(environment, result);
  const problem = "it did not start within its time; see the engine's log, pull the image, or raise `startTimeoutMs`.";
  return new EngineError("environment.unavailable", { environment, problem });
}

/** Makes a new volume writable for every user, because some engines create it owned by root. */
async function openToUser(engine: ClientProgram, { signal }: DockerImageOptions, plan: ContainerPlan): Promise<void> {
  if (plan.user !== undefined && !needsHome(plan.user)) return;
  const args = ["exec", "--user", "0", "--", plan.name, "chmod", "0777", plan.workingDirectory];
  await engine.run(args, { signal, timeoutMs: RESPONSE_TIMEOUT_MS });
  signal?.throwIfAborted();
}

/** Removes an existing container. Never rejects. */
async function removeContainer(engine: ClientProgram, name: string): Promise<void> {
  for (let attempt = 1; attempt <= REMOVAL_TRIES; attempt += 1) {
    if ((await tryToRemove(engine, name)) !== "failed") return;
    await delay(REMOVAL_PAUSE_MS);
  }
}

/**
 * Removes a container that may be created with a delay: an engine completes a request even after its client has exited.
 * Never rejects.
 */
async function removeUnfinished(engine: ClientProgram, name: string): Promise<void> {
  for (let attempt = 1; attempt <= REMOVAL_TRIES; attempt += 1) {
    if ((await tryToRemove(engine, name)) === "removed") return;
    await delay(REMOVAL_PAUSE_MS);
  }
}

async function tryToRemove(engine: ClientProgram, name: string): Promise<"removed" | "absent" | "failed"> {
  try {
    const args = ["rm", "--force", "--volumes", "--", name];
    const { exitCode, stdout, stderr } = await engine.run(args, { timeoutMs: RESPONSE_TIMEOUT_MS });
    if (/no such container|no container with/i.test(stderr)) return "absent";
    // Podman exits with 0 even if the container does not exist, but prints the name only if it removed a container.
    if (exitCode === 0) return stdout.includes(name) ? "removed" : "absent";
    return "failed";
  } catch {
    // The client program itself cannot be started. A later cleanup of abandoned containers will find the container.
    return "failed";
  }
}
