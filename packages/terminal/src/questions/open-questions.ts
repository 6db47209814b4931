import type { SessionHandle, UserPrompt, UserPrompter } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { Terminal } from "../streams/terminal.ts";
import type { View } from "../view/view.ts";
import { createAnswerPrompt } from "./answer-prompt.ts";
import { type AnswerPrompt, createPromptQueue } from "./prompt-queue.ts";

/** Options of `openQuestions`. */
export interface QuestionsOptions {
  /** Masks secrets in questions. */
  readonly masker: () => Promise<Masker>;
  /** Whether the user is asked to approve tool calls. */
  readonly asksApprovals: boolean;
  /** Whether the user has rules that deny tool calls. */
  readonly hasDenials: boolean;
  /**
   * Asks a question. Replaces the default dialogue on standard error. Secrets in the question are already masked.
   * Contract: rejects with the signal's reason when the answer is no longer needed.
   */
  readonly ask?: AnswerPrompt | undefined;
}

/** Asks the questions of one attempt of a run. */
export interface Questions {
  /** Receives the run's questions. */
  readonly prompter: UserPrompter;
  /** True if the run was stopped because a question of the agent could not be answered in this process. */
  readonly isLeftOpen: boolean;
  /**
   * Wraps a view (the display of a run) so that it releases the terminal while a question is open. Interrupts the run
   * if a question cannot be answered.
   */
  watch(handle: SessionHandle, view: View): View;
}

/** Value of the interrupt's field `detail` if a question cannot be answered in this process. */
const INPUT_REQUIRED = "input_required";

/** Creates the object that asks an attempt's questions on the terminal, one at a time. */
export function openQuestions(terminal: Terminal, options: QuestionsOptions): Questions {
  const { masker, asksApprovals, hasDenials, ask } = options;
  let [isLeftOpen, session]: [boolean, SessionHandle | undefined] = [false, undefined];
  const stop = (): void => session?.interrupt({ cause: "custom", detail: INPUT_REQUIRED });
  const mask = async (prompt: UserPrompt): Promise<UserPrompt> => (await masker()).maskData(prompt);
  const dialogue = createAnswerPrompt(terminal, {
    mask,
    asksApprovals,
    hasDenials,
    onOpenQuestion: () => {
      isLeftOpen = true;
      stop();
    },
  });
  const answer: AnswerPrompt = async (prompt, { signal }) =>
    ask === undefined ? dialogue(prompt, { signal }) : ask(await mask(prompt), { signal });
  const queue = createPromptQueue(answer, { holds: terminal.stdout.isTerminal });
  return {
    prompter: queue,
    get isLeftOpen() {
      return isLeftOpen;
    },
    watch(handle, view) {
      session = handle;
      return queue.watch(view);
    },
  };
}
