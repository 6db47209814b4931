import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns whether the tests run in resume mode: every `switchyard run` is killed before each model response and
 * continued by `switchyard resume` in a new process. The same tests then prove that a resumed run equals an
 * uninterrupted one.
 */
export function isAlwaysResuming(): boolean {
  return process.env["SWITCHYARD_ALWAYS_RESUME"] === "1";
}

/** Running command that can be killed. */
interface Killable {
  kill(signal: "SIGKILL"): boolean;
}

const running = new Set<Killable>();

/**
 * Creates the function that a model server calls for each request. In resume mode, it kills the running command and
 * returns true. The next request, from the resumed command, is answered.
 */
export function createKiller(): () => boolean {
  let hasKilled = false;
  return () => {
    hasKilled = isAlwaysResuming() && running.size > 0 && !hasKilled;
    if (hasKilled) for (const command of running) command.kill("SIGKILL");
    return hasKilled;
  };
}

/** Waits for a command that the function of `createKiller` may kill. */
export async function whileKillable<T>(command: Killable & PromiseLike<T>): Promise<T> {
  running.add(command);
  try {
    return await command;
  } finally {
    running.delete(command);
  }
}

/** Options of `run` that `resume` accepts too, with the number of their values. */
const KEPT: Readonly<Record<string, number>> = {
  "--json": 0,
  "--debug": 0,
  "--events": 1,
  "--output": 1,
  "--state": 1,
};

/** Returns the arguments that resume a run which was started with the given arguments. */
export function resumeWords(words: readonly string[], runId: string): string[] {
  const kept = words.flatMap((word, index) => {
    const values = KEPT[word];
    return values === undefined ? [] : words.slice(index, index + values + 1);
  });
  return ["resume", runId, ...kept];
}

/** Returns the folder that contains the run folders of a command. */
export function runsFolder(words: readonly string[], home: string): string {
  const at = words.indexOf("--state");
  const state = at < 0 ? undefined : words[at + 1];
  return join(state ?? join(home, ".local/state/switchyard"), "runs");
}

/** Returns the ids of the runs in a folder. */
export async function runIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith("."));
}
