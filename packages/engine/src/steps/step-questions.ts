import { createHash } from "node:crypto";
import type { UserPrompt, UserReply } from "@switchyard/contracts";
import { toJson } from "./plain-json.ts";
import type { StepQuestion } from "./step-state.ts";

/** Converts a stored answer to the reply that the engine expects. */
export function toReply(answer: string | UserReply): UserReply {
  return typeof answer === "string" ? { parts: [{ type: "text", text: answer }] } : answer;
}

/** Questions of one step. */
export class StepQuestions {
  readonly #answers: Readonly<Record<string, UserReply>>;
  readonly #asked = new Map<string, number>();
  /** Questions without an answer. */
  readonly open: StepQuestion[] = [];

  /** `answers` contains the replies of the user that the state of the run already has, by id of the question. */
  constructor(answers: Readonly<Record<string, UserReply>>) {
    this.#answers = answers;
  }

  /** Returns the question with its id, and its answer if there is one. */
  ask(prompt: UserPrompt): { readonly question: StepQuestion; readonly reply: UserReply | undefined } {
    const question = { ...prompt, id: prompt.id ?? this.#idOf(prompt) };
    const reply = Object.hasOwn(this.#answers, question.id) ? this.#answers[question.id] : undefined;
    if (reply === undefined) this.open.push(question);
    return { question, reply };
  }

  /** Derives the id from the content, so that a repeated step asks the same question with the same id. */
  #idOf(prompt: UserPrompt): string {
    const text = JSON.stringify(toJson(prompt));
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const count = (this.#asked.get(hash) ?? 0) + 1;
    this.#asked.set(hash, count);
    return count === 1 ? `question-${hash}` : `question-${hash}-${count}`;
  }
}
