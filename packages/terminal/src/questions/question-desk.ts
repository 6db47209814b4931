import type { Envelope, UserPrompt, UserPrompter, UserReply } from "@switchyard/contracts";
import { SILENT_VIEW, type View } from "../view/view.ts";

/** Answers a question of a run. Contract: rejects with the signal's reason when nobody waits for it any more. */
export type AnswerPrompt = (prompt: UserPrompt, options: { readonly signal: AbortSignal }) => Promise<UserReply>;

/** Where the questions of a run wait until what happened before them was shown. */
export interface QuestionDesk extends UserPrompter {
  /** Shows the run in a view, and leaves the terminal to a question while one is open. */
  overlook(view: View): View;
}

interface Waiting {
  readonly prompt: UserPrompt;
  readonly signal: AbortSignal;
  settle(reply: Promise<UserReply>): void;
}

class Desk implements QuestionDesk {
  readonly #answer: AnswerPrompt;
  /** Questions that nobody was asked yet, by their id. */
  readonly #waiting = new Map<string, Waiting>();
  /** Ids of questions that were shown in their place among the events. */
  readonly #announced = new Set<string>();
  readonly #behind: Envelope[] = [];
  readonly #holds: boolean;
  #view: View = SILENT_VIEW;
  #isOpen = false;

  constructor(answer: AnswerPrompt, holds: boolean) {
    this.#answer = answer;
    this.#holds = holds;
  }

  askUser(prompt: UserPrompt, options: { signal?: AbortSignal } = {}): Promise<UserReply> {
    const { signal = new AbortController().signal } = options;
    const id = prompt.id ?? "";
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(id);
        reject(signal.reason);
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.set(id, { prompt, signal, settle: (reply) => reply.then(resolve, reject) });
      this.#goOn();
    });
  }

  overlook(view: View): View {
    this.#view = view;
    return {
      show: (envelope) => {
        this.#behind.push(envelope);
        this.#goOn();
      },
      suspend: () => view.suspend(),
      close: () => {
        for (const envelope of this.#behind.splice(0)) view.show(envelope);
        view.close();
      },
    };
  }

  /** Shows what is behind, up to the next question that has to be asked. */
  #goOn(): void {
    for (;;) {
      if (!this.#isOpen) this.#openNext();
      if (this.#isOpen && this.#holds) return;
      const next = this.#behind.shift();
      if (next === undefined) return;
      const isQuestion = next.type === "user_prompted";
      if (isQuestion) this.#announced.add(next.payload.prompt_id);
      // The question itself comes right behind, on the same terminal.
      if (!isQuestion || !this.#holds) this.#view.show(next);
    }
  }

  #openNext(): void {
    for (const id of this.#announced) {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) continue;
      this.#waiting.delete(id);
      this.#announced.delete(id);
      void this.#open(waiting);
      return;
    }
  }

  async #open({ prompt, signal, settle }: Waiting): Promise<void> {
    this.#isOpen = true;
    const resume = this.#view.suspend();
    const reply = this.#answer(prompt, { signal });
    settle(reply);
    await reply.catch(() => undefined);
    resume();
    this.#isOpen = false;
    this.#goOn();
  }
}

/**
 * Makes the desk for the questions of one run. `holds` when what is shown shares the terminal with the questions: then
 * events wait while one is open.
 */
export function createQuestionDesk(answer: AnswerPrompt, { holds }: { readonly holds: boolean }): QuestionDesk {
  return new Desk(answer, holds);
}
