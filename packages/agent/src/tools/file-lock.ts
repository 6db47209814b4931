import { posix } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";

const queues = new WeakMap<ExecutionEnvironment, Map<string, Promise<void>>>();

function keyOf(environment: ExecutionEnvironment, path: string): string {
  return posix.resolve(environment.workingDirectory, path);
}

/**
 * Adds a change to the queues of all its paths at the same time, so that two changes with several common paths cannot
 * deadlock.
 */
function enqueue(environment: ExecutionEnvironment, paths: readonly string[], until: Promise<void>): Promise<unknown> {
  // A subagent that is restricted to a folder shares files, and therefore the queues, with its parent session.
  const base = baseEnvironmentOf(environment);
  const queue = queues.get(base) ?? new Map<string, Promise<void>>();
  queues.set(base, queue);
  const keys = [...new Set(paths.map((path) => keyOf(environment, path)))];
  const before = keys.map((key) => queue.get(key));
  for (const key of keys) {
    const turn = Promise.all([queue.get(key), until]).then(() => {
      if (queue.get(key) === turn) queue.delete(key);
    });
    queue.set(key, turn);
  }
  return Promise.all(before);
}

/**
 * Runs a change to files with exclusive access to their paths in the environment. Tool calls of one response run
 * concurrently, so two edits of one file could otherwise overwrite each other.
 */
export async function withFileLock<T>(
  environment: ExecutionEnvironment,
  paths: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  let release = (): void => {};
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  await enqueue(environment, paths, done);
  try {
    return await change();
  } finally {
    release();
  }
}
