import { EngineError, type UserPrompt } from "@switchyard/contracts";
import { type ApprovalSubject, approvalSubjectOf } from "../approval/approval-subject.ts";
import { suggestRule } from "../approval/suggest-rule.ts";
import type { Terminal } from "../streams/terminal.ts";
import { cutToWidth } from "../text/display-width.ts";
import { describeCall } from "../view/describe-call.ts";
import { askApproval } from "./ask-approval.ts";
import { askQuestion } from "./ask-question.ts";
import { openDialogue } from "./dialogue.ts";
import type { AnswerPrompt } from "./question-desk.ts";
import { plainLine, quote } from "./quote.ts";
import { textOfParts } from "./text-of-parts.ts";

/** Who answers the questions of a run, and how. */
export interface AnswerOptions {
  /** Takes secrets out of what is shown. */
  readonly mask: (prompt: UserPrompt) => Promise<UserPrompt>;
  /** Whether permissions may be asked for at all. */
  readonly asksApprovals: boolean;
  /** Whether some calls are denied by a rule of the user's: what may be such a call cannot be allowed by another rule. */
  readonly hasDenials: boolean;
  /** Told that a question of the agent's was left open: the run is to stop, and can go on where somebody answers. */
  readonly onOpenQuestion: () => void;
}

/** Whether somebody sits in front of the command: what is typed and what is asked is on a terminal. */
export function hasPerson({ stdin, stderr }: Pick<Terminal, "stdin" | "stderr">): boolean {
  return stdin.isTerminal && stderr.isTerminal;
}

/** Answers questions: the person in front of the terminal does, or there is none and it is said what that means. */
export function createAnswerPrompt(terminal: Terminal, options: AnswerOptions): AnswerPrompt {
  return async (asked, { signal }) => {
    const prompt = await options.mask(asked);
    signal.throwIfAborted();
    const subject = approvalSubjectOf(prompt);
    const isAsked = hasPerson(terminal) && (subject === undefined || options.asksApprovals);
    if (isAsked) {
      const dialogue = await openDialogue(terminal, signal);
      const reply = await (subject === undefined ? askQuestion(dialogue, prompt) : askApproval(dialogue, subject));
      if (reply !== undefined) return reply;
    }
    if (subject !== undefined) {
      sayDenied(terminal, subject, options);
      throw new EngineError("prompt.unavailable");
    }
    sayUnanswered(terminal, prompt);
    options.onOpenQuestion();
    return await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
    });
  };
}

function sayDenied(terminal: Terminal, subject: ApprovalSubject, { asksApprovals, hasDenials }: AnswerOptions): void {
  const { stderr } = terminal;
  const call = cutToWidth(plainLine(describeCall(subject.tool, subject.args)), stderr.columns - 10);
  const why = subject.reason === undefined ? "" : ` (${plainLine(subject.reason)})`;
  const rule = hasDenials && subject.reason !== undefined ? undefined : suggestRule(subject);
  const nobody = asksApprovals ? "nobody can answer here" : "--approve never asks nobody";
  const remedy = rule === undefined ? "Run it on a terminal to be asked." : `${rule} allows it.`;
  stderr.write(`! Denied: ${call}\n  It needs a permission${why}, and ${nobody}. ${remedy}\n`);
}

function sayUnanswered({ stderr }: Terminal, prompt: UserPrompt): void {
  const { lines } = quote(textOfParts(prompt.parts), { columns: stderr.columns, whole: true });
  stderr.write(`! The agent asks, and nobody can answer here:\n${lines.join("\n")}\n`);
}
