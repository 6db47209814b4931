import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig, EnvironmentReadiness } from "@switchyard/environment";
import { FOLDER_MODE } from "../files/file-modes.ts";
import type { ContainerEngine } from "../harbor/task-containers.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import type { AttemptContext } from "../trial/attempt-context.ts";
import { claimFolder } from "../trial/claimed-folder.ts";

/** Prefix of the name of the temporary workspace that the check uses. */
const FOLDER = "check-";

/** Options for `checkEnvironment`. */
export interface CheckEnvironmentOptions extends Pick<AttemptContext, "workspaces" | "environment"> {
  /** Container engine that runs tasks in Harbor's format. */
  readonly containerEngine?: ContainerEngine | undefined;
  /**
   * Function that performs further checks in an opened environment, which is like that of a trial but has an empty
   * workspace. `undefined`: no further checks.
   */
  readonly check: ((environment: ExecutionEnvironment) => Promise<void>) | undefined;
}

/**
 * Checks before the first trial that the environment of the trials can be opened. Otherwise each trial would end in the
 * same error. Rejects with `environment.*`, such as `environment.unavailable` if no container engine is running.
 */
export async function checkEnvironment(
  { cases }: Pick<EvalSuite, "cases">,
  { containerEngine = {}, ...options }: CheckEnvironmentOptions,
): Promise<void> {
  const hasTasks = cases.some(({ task }) => task !== undefined);
  const judged = cases.find(({ hasIndependentJudges }) => hasIndependentJudges === true);
  if (hasTasks) await checkContainerEngine(containerEngine);
  else await checkWorkspace({ ...options, judged: judged?.id });
}

async function checkContainerEngine({ client, hostEnv }: ContainerEngine): Promise<void> {
  // A container program that the caller names is not checked here. If it is missing, opening the first container fails.
  if (client !== undefined) return;
  await assertReady("docker", hostEnv);
}

interface CheckWorkspaceOptions extends CheckEnvironmentOptions {
  /** Id of a case with independent judges. `undefined`: there is none. */
  readonly judged: string | undefined;
}

/** Environments whose workspaces are folders of this machine, of which each judge gets a copy. */
const COPIED: readonly string[] = ["local", "sandbox"];

async function checkWorkspace({ workspaces, environment, check, judged }: CheckWorkspaceOptions): Promise<void> {
  await mkdir(workspaces, { recursive: true, mode: FOLDER_MODE });
  const folder = await mkdtemp(join(workspaces, FOLDER));
  await using _ = await claimFolder(folder);
  try {
    const target = await environment(folder);
    if ("readFile" in target) {
      await using opened = target;
      return await check?.(opened);
    }
    if (judged !== undefined && !COPIED.includes(target.type)) {
      const problem = `the case ${judged} has judges that each need a copy of the workspace, which only local and sandbox have.`;
      throw new EngineError("config.invalid", { field: "environment", problem });
    }
    if (target.type === "kubernetes") await assertReady(target.type, hostEnvOf(target));
    // A container is also opened without a check, because its image may be missing. A pod starts too slowly for that.
    if (check === undefined && target.type !== "docker" && target.type !== "sandbox") return;
    const { openEnvironment } = await import("@switchyard/environment");
    await using opened = await openEnvironment(target);
    await check?.(opened);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function hostEnvOf(target: EnvironmentConfig): ContainerEngine["hostEnv"] {
  return "hostEnv" in target ? target.hostEnv : undefined;
}

async function assertReady(type: EnvironmentConfig["type"], hostEnv: ContainerEngine["hostEnv"]): Promise<void> {
  const { environmentReadiness } = await import("@switchyard/environment");
  const { ok, missing } = await environmentReadiness(type, hostEnv);
  if (!ok) throw new EngineError("environment.unavailable", { environment: type, problem: problemOf(missing) });
}

function problemOf(missing: EnvironmentReadiness["missing"]): string {
  const sentences = missing.map(({ problem, install }) => {
    const ways = install.map(({ system, command }) => `${system}: \`${command}\``).join(", ");
    return `${problem.replace(/\.$/u, "")}.${ways === "" ? "" : ` ${ways}.`}`;
  });
  return sentences.join(" ");
}
