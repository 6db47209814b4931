import type { SessionHandle, UserPrompter } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { Terminal } from "../streams/terminal.ts";
import type { View } from "../view/view.ts";
import { createAnswerPrompt } from "./answer-prompt.ts";
import { createQuestionDesk } from "./question-desk.ts";

/** What the questions of a run need. */
export interface QuestionsOptions {
  /** Takes secrets out of what is asked. */
  readonly masker: () => Promise<Masker>;
  /** Whether the user is asked for permissions. */
  readonly asksApprovals: boolean;
  /** Whether a rule of the user denies some calls. */
  readonly hasDenials: boolean;
}

/** The questions of one attempt. */
export interface Questions {
  /** Who is asked. */
  readonly desk: UserPrompter;
  /** Whether a question of the agent's stopped the run, as nobody could answer it. */
  readonly isLeftOpen: boolean;
  /** Shows the run, and stops it where a question has to stay open. */
  overlook(handle: SessionHandle, view: View): View;
}

/** Why a run stops that waits for an answer which nobody can give here. */
const INPUT_REQUIRED = "input_required";

/** Opens the desk of an attempt that is about to start. */
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
  const desk = createQuestionDesk(answer, { holds: terminal.stdout.isTerminal });
  return {
    desk,
    get isLeftOpen() {
      return isLeftOpen;
    },
    overlook(handle, view) {
      session = handle;
      return desk.overlook(view);
    },
  };
}
