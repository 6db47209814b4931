import { RESUMABLE_RUN_STATUSES, type RunStatus } from "@switchyard/contracts";
import type { StoreOptions } from "../store/open-run-store.ts";
import { quoteWord } from "./quote-word.ts";

/** The command that goes on with a run; the options are those that the run was started with. */
export function resumeCommand(runId: string, { state, store }: StoreOptions): string {
  const words = [
    ...(state === undefined ? [] : ["--state", quoteWord(state)]),
    ...(store === undefined ? [] : ["--store", quoteWord(store)]),
  ];
  return ["switchyard resume", runId, ...words].join(" ");
}

/** A remedy whose commands about runs look into the state folder that the words of this command name. */
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

/** Whether a run in that state can be gone on with once nobody works on it. */
export function isResumable(status: RunStatus): boolean {
  return RESUMABLE_RUN_STATUSES.includes(status);
}
