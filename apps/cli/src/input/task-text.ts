import type { CommandContext } from "../context/command-context.ts";

/** Argument that stands for standard input. */
const PIPED = "-";

/** Task that is given on the command line. */
export interface TypedTask {
  /** Words of the prompt. Empty if there are none. */
  prompt: string;
  /** Whether standard input is appended to the prompt. */
  takesPiped?: boolean;
}

/** Parses the words of a prompt. */
export function taskOf(words: readonly string[]): Required<TypedTask> {
  return { prompt: words.filter((word) => word !== PIPED).join(" "), takesPiped: words.includes(PIPED) };
}

/** Reads the whole task: the prompt, followed by standard input if requested. */
export async function readTask({ stdin }: CommandContext, { prompt, takesPiped }: TypedTask): Promise<string> {
  const piped = takesPiped === true ? await stdin.readAll() : "";
  return [prompt.trim(), piped.trim()].filter((text) => text !== "").join("\n\n");
}
