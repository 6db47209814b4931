import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExecResult } from "@switchyard/contracts";
import type { DockerContainer, DockerSnapshot } from "@switchyard/environment/docker";
import type { Masker } from "@switchyard/secrets";
import type { AssertionResult, TrialArtifact } from "../results/trial-result.ts";
import { describeChangedPrograms } from "./changed-programs.ts";
import type { HarborTask } from "./harbor-task.ts";
import { readReward, type TaskReward } from "./read-reward.ts";
import { scriptCommand } from "./script-command.ts";
import type { TaskContainers } from "./task-containers.ts";

/** A task whose engine has ended. */
export interface VerificationParts {
  readonly task: HarborTask;
  /** Container in which the engine worked. Its environment is closed by the verification. */
  readonly container: DockerContainer;
  readonly containers: TaskContainers;
  /** Folder of this machine that receives the files of `/logs/verifier`. */
  readonly target: string;
  readonly masker: Masker;
  readonly signal: AbortSignal;
}

/** Outcome of a task's tests. */
export interface Verification {
  readonly outcome: "PASS" | "FAIL" | "ERROR";
  /** Explanation. `undefined` for `PASS`. */
  readonly reason?: string | undefined;
  /** Result of the tests, as an assertion. */
  readonly assertions: readonly AssertionResult[];
  /** Main reward. `undefined` if the tests reported none. */
  readonly score?: number | undefined;
  /** Rewards by name. */
  readonly rewards?: Readonly<Record<string, number>> | undefined;
  readonly warnings: readonly string[];
  /** Files that the tests wrote to `/logs/verifier`, by their paths below `target`. */
  readonly collected: readonly TrialArtifact[];
}

const MS_PER_SECOND = 1_000;
/** Maximum length of the stored output, in characters. */
const MAX_OUTPUT = 8_000;
/** Maximum number of listed files. */
const MAX_FILES = 1_000;
const LOGS = "/logs/verifier";

/**
 * Ends all processes of the engine, starts a new container with the files that the engine left, and runs the tests
 * there. The tests are copied into the new container before its first process starts. `/tests` and `/logs/verifier` are
 * new there, so files that the engine left in these folders have no effect. The reward is read without running a program
 * of the container.
 *
 * Rejects with `environment.unavailable` if a container cannot be started. Also rejects if the signal aborts.
 */
export async function verifyTask(parts: VerificationParts): Promise<Verification> {
  const { container, task, containers, target, signal } = parts;
  await using snapshot = await container.snapshot();
  await using verifier = await containers.openVerifier(task, container, snapshot);
  const command = await scriptCommand(join(task.verifier.tests, "test.sh"), "/tests/test.sh");
  const timeoutMs = task.verifier.timeoutSeconds * MS_PER_SECOND;
  const ended = await verifier.environment
    .exec(command, { timeoutMs, signal, cwd: verifier.environment.workingDirectory })
    .catch((error: unknown) => {
      if (EngineError.is(error, "environment.command_not_found")) return error;
      throw error;
    });
  signal.throwIfAborted();
  await mkdir(target, { recursive: true });
  await verifier.copyOut(LOGS, target);
  const folder = join(target, "verifier");
  const collected = await keepFiles(folder, "logs/verifier");
  return { ...(await toVerification(ended, folder, parts)), warnings: warningsOf(snapshot, container), collected };
}

function warningsOf({ changedPaths }: DockerSnapshot, { image }: DockerContainer): string[] {
  const warning = describeChangedPrograms(changedPaths, image.programFolders);
  return warning === undefined ? [] : [warning];
}

type Decision = Pick<Verification, "outcome" | "reason" | "assertions" | "score" | "rewards">;

async function toVerification(
  ended: ExecResult | EngineError,
  folder: string,
  { task, masker }: VerificationParts,
): Promise<Decision> {
  const decide = (outcome: Verification["outcome"], reason: string, reward?: TaskReward): Decision => {
    const about = { kind: "verifier", expected: "tests/test.sh", outcome, reason, ...outputOf(ended, masker) };
    const rewards = reward === undefined ? {} : { score: reward.score, rewards: reward.rewards };
    return { outcome, ...(outcome === "PASS" ? {} : { reason }), assertions: [about], ...rewards };
  };
  if (EngineError.is(ended)) return decide("ERROR", `tests/test.sh could not be run: ${ended.message}`);
  if (ended.timedOut) return decide("ERROR", `tests/test.sh did not end within ${task.verifier.timeoutSeconds} s.`);
  const reward = await readReward(folder);
  if (typeof reward === "string") return decide("ERROR", `${reward} Its exit code was ${ended.exitCode}.`);
  return decide(reward.isFull ? "PASS" : "FAIL", describeReward(reward), reward);
}

function describeReward({ rewards }: TaskReward): string {
  const entries = Object.entries(rewards);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined && first[0] === "reward") return `The reward is ${first[1]}.`;
  return `The rewards are ${entries.map(([name, value]) => `${name} ${value}`).join(", ")}.`;
}

function outputOf(ended: ExecResult | EngineError, masker: Masker): { output?: string } {
  if (EngineError.is(ended)) return {};
  const printed = masker.mask([ended.stdout, ended.stderr].filter((text) => text.trim() !== "").join("\n"));
  if (printed === "") return {};
  return { output: printed.length > MAX_OUTPUT ? `…${printed.slice(-MAX_OUTPUT)}` : printed };
}

/** Lists the copied files. Removes links and other special entries, because they could point to files of this machine. */
async function keepFiles(folder: string, name: string): Promise<TrialArtifact[]> {
  const artifacts: TrialArtifact[] = [];
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    const found = await lstat(path);
    if (found.isDirectory()) artifacts.push(...(await keepFiles(path, `${name}/${entry}`)));
    else if (found.isFile()) artifacts.push({ name: `${name}/${entry}`, bytes: found.size });
    else await rm(path, { force: true });
  }
  return artifacts.slice(0, MAX_FILES);
}
