/** What the pipes of an engine's process carry. */
import type { Answer, Message, Numbered, Question } from "../wire/encoded.ts";

/** Where the process reads what it is told, where it speaks, and where it waits for answers. */
export const PIPE = { told: 0, speaks: 3, answered: 4 } as const;

/** What the process says, with the number of the last message that it has taken. */
export interface Said {
  readonly taken: number;
  readonly message?: Message | undefined;
  readonly question?: Question | undefined;
}

/** What the process waited for, and what it was told meanwhile but has not taken: that comes first. */
export interface Answered {
  readonly told: readonly Numbered[];
  readonly answer: Answer;
}
