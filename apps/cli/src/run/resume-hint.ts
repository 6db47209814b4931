import { RESUMABLE_RUN_STATUSES, type RunStatus } from "@switchyard/contracts";
import { quoteWord } from "./quote-word.ts";

/** The command that goes on with a run; `state` is the option the run was started with. */
export function resumeCommand(runId: string, state: string | undefined): string {
  return `switchyard resume ${runId}${state === undefined ? "" : ` --state ${quoteWord(state)}`}`;
}

/** A remedy whose commands about runs look into the state folder that the words of this command name. */
export function withState(remedy: string, words: readonly string[]): string {
  const state = stateIn(words);
  if (state === undefined) return remedy;
  return remedy.replace(/`switchyard (?:resume|runs)\b[^`]*`/g, (command) =>
    command.includes("--help") ? command : `${command.slice(0, -1)} --state ${quoteWord(state)}\``,
  );
}

function stateIn(words: readonly string[]): string | undefined {
  const joined = words.find((word) => word.startsWith("--state="));
  if (joined !== undefined) return joined.slice("--state=".length);
  const index = words.indexOf("--state");
  return index === -1 ? undefined : words[index + 1];
}

/** Whether a run in that state can be gone on with once nobody works on it. */
export function isResumable(status: RunStatus): boolean {
  return RESUMABLE_RUN_STATUSES.includes(status);
}
