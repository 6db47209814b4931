import { EngineError, type UserPrompt } from "@switchyard/contracts";
import { type ApprovalSubject, approvalSubjectOf } from "../approval/approval-subject.ts";
import { suggestRule } from "../approval/suggest-rule.ts";
import type { Terminal } from "../streams/terminal.ts";
import { cutToWidth } from "../text/display-width.ts";
import { describeCall } from "../view/describe-call.ts";
import { askApproval } from "./ask-approval.ts";
import { askQuestion } from "./ask-question.ts";
import { openDialogue } from "./dialogue.ts";
import type { AnswerPrompt } from "./prompt-queue.ts";
import { plainLine, quote } from "./quote.ts";
import { textOfParts } from "./text-of-parts.ts";

/** Options of `createAnswerPrompt`. */
export interface AnswerOptions {
  /** Masks secrets before a question is shown. */
  readonly mask: (prompt: UserPrompt) => Promise<UserPrompt>;
  /** Whether the user is asked to approve tool calls. */
  readonly asksApprovals: boolean;
  /**
   * Whether the user has rules that deny tool calls. Denials take precedence, so no `--allow` rule is suggested for a
   * call that a denial may match.
   */
  readonly hasDenials: boolean;
  /**
   * Called if a question of the agent cannot be answered in this process. The run should then stop; it can be resumed
   * on a terminal.
   */
  readonly onOpenQuestion: () => void;
}

/** True if the user can be asked: standard input and standard error are terminals. */
export function hasPerson({ stdin, stderr }: Pick<Terminal, "stdin" | "stderr">): boolean {
  return stdin.isTerminal && stderr.isTerminal;
}

/**
 * Creates a function that answers a run's questions by asking the user on a terminal. Without a terminal, it prints to
 * standard error which calls were denied and which questions stay unanswered.
 */
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
      printDenied(terminal, subject, options);
      throw new EngineError("prompt.unavailable");
    }
    printUnanswered(terminal, prompt);
    options.onOpenQuestion();
    return await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
    });
  };
}

function printDenied(terminal: Terminal, subject: ApprovalSubject, { asksApprovals, hasDenials }: AnswerOptions): void {
  const { stderr } = terminal;
  const call = cutToWidth(plainLine(describeCall(subject.tool, subject.args)), stderr.columns - 10);
  const why = subject.reason === undefined ? "" : ` (${plainLine(subject.reason)})`;
  const rule = hasDenials && subject.reason !== undefined ? undefined : suggestRule(subject);
  const nobody = asksApprovals ? "no one can be asked here" : "--approve never disables questions";
  const remedy = rule === undefined ? "Run in a terminal to be asked." : `Allow it with ${rule}.`;
  stderr.write(`! Denied: ${call}\n  It requires approval${why}, and ${nobody}. ${remedy}\n`);
}

function printUnanswered({ stderr }: Terminal, prompt: UserPrompt): void {
  const { lines } = quote(textOfParts(prompt.parts), { columns: stderr.columns, whole: true });
  stderr.write(`! The agent asked a question that cannot be answered here:\n${lines.join("\n")}\n`);
}
