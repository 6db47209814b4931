import type { SessionHandle, UserPrompter } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { ApprovalChoice } from "../approval/approval-choice.ts";
import type { CommandContext } from "../context/command-context.ts";
import type { View } from "../views/view.ts";
import { createAnswerPrompt } from "./answer-prompt.ts";
import { createQuestionDesk } from "./question-desk.ts";

/** What the questions of a run need. */
export interface QuestionsOptions {
  /** Takes secrets out of what is asked. */
  readonly masker: () => Promise<Masker>;
  /** What the user wants to be asked about. */
  readonly choice: ApprovalChoice;
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
export function openQuestions(context: CommandContext, { masker, choice }: QuestionsOptions): Questions {
  let [isLeftOpen, session]: [boolean, SessionHandle | undefined] = [false, undefined];
  const stop = (): void => session?.interrupt({ cause: "custom", detail: INPUT_REQUIRED });
  const answer = createAnswerPrompt(context, {
    mask: async (prompt) => (await masker()).maskData(prompt),
    asksApprovals: choice.approve !== "never",
    hasDenials: (choice.deny ?? []).length > 0,
    onOpenQuestion: () => {
      isLeftOpen = true;
      stop();
    },
  });
  const desk = createQuestionDesk(answer, { holds: context.stdout.isTerminal });
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
