import { RESUMABLE_RUN_STATUSES, type RunStatus } from "@switchyard/contracts";
import type { StoreOptions } from "../store/open-run-store.ts";
import { quoteWord } from "./quote-word.ts";

/** Returns the shell command that resumes a run, with the options that select the run's store. */
export function resumeCommand(runId: string, storage: StoreOptions): string {
  return ["switchyard resume", runId, ...storageWords(storage)].join(" ");
}

/**
 * Returns the options `--state` and `--store` for a shell command that uses the same run store. Values are quoted for
 * the shell. Options that are not set are omitted.
 */
export function storageWords({ state, store }: StoreOptions): string[] {
  return [
    ...(state === undefined ? [] : ["--state", quoteWord(state)]),
    ...(store === undefined ? [] : ["--store", quoteWord(store)]),
  ];
}

/** Adds the options `--state` and `--store` of this command line to the `switchyard` commands in an error's remedy. */
export function withState(remedy: string, words: readonly string[]): string {
  const more = ["--state", "--store"].flatMap((option) => {
    const value = valueIn(words, option);
    return value === undefined ? [] : [` ${option} ${quoteWord(value)}`];
  });
  if (more.length === 0) return remedy;
  return remedy.replace(/`switchyard (?:resume|runs)\b[^`]*`/g, (command) =>
    command.includes("--help") ? command : `${command.slice(0, -1)}${more.join("")}\``,
  );
}

function valueIn(words: readonly string[], option: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${option}=`));
  if (joined !== undefined) return joined.slice(option.length + 1);
  const index = words.indexOf(option);
  return index === -1 ? undefined : words[index + 1];
}

/** Returns whether a run with this status can be resumed as soon as no process works on it. */
export function isResumable(status: RunStatus): boolean {
  return RESUMABLE_RUN_STATUSES.includes(status);
}
