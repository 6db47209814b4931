import type { CommandContext } from "../context/command-context.ts";

/** The word for what is piped in. */
const PIPED = "-";

/** What is to be done, as it was typed. */
export interface TypedTask {
  /** Its words; empty when there are none. */
  prompt: string;
  /** Whether what is piped in goes behind them. */
  takesPiped?: boolean;
}

/** What is typed, and whether what is piped in belongs to it. */
export function taskOf(words: readonly string[]): Required<TypedTask> {
  return { prompt: words.filter((word) => word !== PIPED).join(" "), takesPiped: words.includes(PIPED) };
}

/** The whole task: what is typed, and behind it what is piped in where that belongs to it. */
export async function readTask({ stdin }: CommandContext, { prompt, takesPiped }: TypedTask): Promise<string> {
  const piped = takesPiped === true ? await stdin.readAll() : "";
  return [prompt.trim(), piped.trim()].filter((text) => text !== "").join("\n\n");
}
