/** Protocol of the pipes of an engine's process. */
import type { Answer, Message, Numbered, Question } from "../wire/encoded.ts";

/** Descriptors: messages to the process, messages from it, and answers that it waits for. */
export const PIPE = { told: 0, speaks: 3, answered: 4 } as const;

/** Message from the process, with the number of the last message that it has handled. */
export interface Said {
  readonly taken: number;
  readonly message?: Message | undefined;
  readonly question?: Question | undefined;
}

/** Answer for the process, and unhandled messages that precede it. */
export interface Answered {
  readonly told: readonly Numbered[];
  readonly answer: Answer;
}
