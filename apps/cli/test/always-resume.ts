import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Whether every `switchyard run` of the tests dies before each answer of its model and is gone on with by
 * `switchyard resume` in a fresh process: the same tests then say that a resumed run equals an uninterrupted one.
 */
export function isAlwaysResuming(): boolean {
  return process.env["SWITCHYARD_ALWAYS_RESUME"] === "1";
}

/** A command that can be killed. */
interface Killable {
  kill(signal: "SIGKILL"): boolean;
}

const running = new Set<Killable>();

/** Makes what a model server asks at each request: kills the command that asked, then lets its successor have the answer. */
export function createKiller(): () => boolean {
  let hasKilled = false;
  return () => {
    hasKilled = isAlwaysResuming() && running.size > 0 && !hasKilled;
    if (hasKilled) for (const command of running) command.kill("SIGKILL");
    return hasKilled;
  };
}

/** Waits for a command that may be killed meanwhile. */
export async function whileKillable<T>(command: Killable & PromiseLike<T>): Promise<T> {
  running.add(command);
  try {
    return await command;
  } finally {
    running.delete(command);
  }
}

/** Words of `run` that `resume` takes as well, with the number of their values. */
const KEPT: Readonly<Record<string, number>> = {
  "--json": 0,
  "--debug": 0,
  "--events": 1,
  "--output": 1,
  "--state": 1,
};

/** The words that go on with what some words of `run` began. */
export function resumeWords(words: readonly string[], runId: string): string[] {
  const kept = words.flatMap((word, index) => {
    const values = KEPT[word];
    return values === undefined ? [] : words.slice(index, index + values + 1);
  });
  return ["resume", runId, ...kept];
}

/** Folder of the run folders that a command uses. */
export function runsFolder(words: readonly string[], home: string): string {
  const at = words.indexOf("--state");
  const state = at < 0 ? undefined : words[at + 1];
  return join(state ?? join(home, ".local/state/switchyard"), "runs");
}

/** Ids of the runs that were accepted. */
export async function runIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith("."));
}
