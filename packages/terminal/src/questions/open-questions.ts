import type { SessionHandle, UserPrompter } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { Terminal } from "../streams/terminal.ts";
import type { View } from "../view/view.ts";
import { createAnswerPrompt } from "./answer-prompt.ts";
import { createPromptQueue } from "./prompt-queue.ts";

/** Options of `openQuestions`. */
export interface QuestionsOptions {
  /** Masks secrets in questions. */
  readonly masker: () => Promise<Masker>;
  /** Whether the user is asked for permissions. */
  readonly asksApprovals: boolean;
  /** Whether a rule of the user denies some calls. */
  readonly hasDenials: boolean;
}

/** Questions of one attempt of a run. */
export interface Questions {
  /** Receives the run's questions. */
  readonly prompter: UserPrompter;
  /** True if the run was stopped because the agent's question could not be answered here. */
  readonly isLeftOpen: boolean;
  /** Returns a view that leaves the terminal to open questions. Interrupts the run if a question cannot be answered. */
  watch(handle: SessionHandle, view: View): View;
}

/** Detail of the interrupt if a question cannot be answered here. */
const INPUT_REQUIRED = "input_required";

/** Prepares the questions of an attempt that is about to start: they are asked on the terminal, one at a time. */
export function openQuestions(terminal: Terminal, { masker, asksApprovals, hasDenials }: QuestionsOptions): Questions {
  let [isLeftOpen, session]: [boolean, SessionHandle | undefined] = [false, undefined];
  const stop = (): void => session?.interrupt({ cause: "custom", detail: INPUT_REQUIRED });
  const answer = createAnswerPrompt(terminal, {
    mask: async (prompt) => (await masker()).maskData(prompt),
    asksApprovals,
    hasDenials,
    onOpenQuestion: () => {
      isLeftOpen = true;
      stop();
    },
  });
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
