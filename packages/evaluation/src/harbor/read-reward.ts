import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../files/is-record.ts";

/** Maximum number of bytes that are read of a reward file. */
const MAX_BYTES = 64 * 1024;

/** Rewards of a task. */
export interface TaskReward {
  /** The reward named `reward`. Without a reward of this name, the mean of all rewards. */
  readonly score: number;
  /** Rewards by name. */
  readonly rewards: Readonly<Record<string, number>>;
  /**
   * True if the reward named `reward` is at least 1. Without a reward of this name, true if all rewards are at least 1.
   */
  readonly isFull: boolean;
}

/**
 * Reads the rewards from `reward.txt`, or else from `reward.json`, in a folder of this machine. Symbolic links are not
 * followed. Returns a sentence with the problem if there is no valid file.
 */
export async function readReward(folder: string): Promise<TaskReward | string> {
  const text = await readSmallFile(join(folder, "reward.txt"));
  if (text !== undefined) return readNumber(text);
  const json = await readSmallFile(join(folder, "reward.json"));
  if (json !== undefined) return readNamed(json);
  return "tests/test.sh wrote neither /logs/verifier/reward.txt nor /logs/verifier/reward.json.";
}

function readNumber(text: string): TaskReward | string {
  const reward = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(reward) ? toReward({ reward }) : "/logs/verifier/reward.txt does not contain a number.";
}

function readNamed(text: string): TaskReward | string {
  const problem = "/logs/verifier/reward.json is not a map of numbers.";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem;
  }
  if (!isRecord(value) || Object.keys(value).length === 0) return problem;
  const rewards = Object.entries(value).flatMap(([name, one]) =>
    typeof one === "number" && Number.isFinite(one) ? [[name, one] as const] : [],
  );
  return rewards.length === Object.keys(value).length ? toReward(Object.fromEntries(rewards)) : problem;
}

function toReward(rewards: Readonly<Record<string, number>>): TaskReward {
  const values = Object.values(rewards);
  const main = Object.hasOwn(rewards, "reward") ? rewards["reward"] : undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { score: main ?? mean, rewards, isFull: (main ?? Math.min(...values)) >= 1 };
}

async function readSmallFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(found.size, MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
