import type { Envelope, UserPrompt, UserPrompter, UserReply } from "@switchyard/contracts";
import { SILENT_VIEW, type View } from "../view/view.ts";

/** Answers a question of a run. Contract: rejects with the signal's reason when the answer is no longer needed. */
export type AnswerPrompt = (prompt: UserPrompt, options: { readonly signal: AbortSignal }) => Promise<UserReply>;

/** Queue of a run's questions. A question is asked only after all earlier events have been shown. */
export interface PromptQueue extends UserPrompter {
  /**
   * Wraps a view (the display of a run) so that it shows the run's events in order and pauses while a question is open.
   */
  watch(view: View): View;
}

interface Waiting {
  readonly prompt: UserPrompt;
  readonly signal: AbortSignal;
  settle(reply: Promise<UserReply>): void;
}

class Queue implements PromptQueue {
  readonly #answer: AnswerPrompt;
  /** Questions that have not been asked yet, by id. */
  readonly #waiting = new Map<string, Waiting>();
  /** Ids of questions that can be asked, because their events have been processed. */
  readonly #announced = new Set<string>();
  readonly #held: Envelope[] = [];
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
      this.#advance();
    });
  }

  watch(view: View): View {
    this.#view = view;
    return {
      show: (envelope) => {
        this.#held.push(envelope);
        this.#advance();
      },
      suspend: () => view.suspend(),
      close: () => {
        for (const envelope of this.#held.splice(0)) view.show(envelope);
        view.close();
      },
    };
  }

  /** Shows queued events, up to a question that must be asked first. */
  #advance(): void {
    for (;;) {
      if (!this.#isOpen) this.#openNext();
      if (this.#isOpen && this.#holds) return;
      const next = this.#held.shift();
      if (next === undefined) return;
      const isQuestion = next.type === "user_prompted";
      if (isQuestion) this.#announced.add(next.payload.prompt_id);
      // The event of a question is not shown if the question itself is asked on the same terminal.
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
    this.#advance();
  }
}

/**
 * Creates the question queue of one run. `holds` determines whether events wait while a question is open. They must
 * wait if the display and the questions share the terminal.
 */
export function createPromptQueue(answer: AnswerPrompt, { holds }: { readonly holds: boolean }): PromptQueue {
  return new Queue(answer, holds);
}
