import { EngineError } from "@switchyard/contracts";
import { isWorking } from "./is-working.ts";
import { answerOpenCalls } from "./open-calls.ts";
import { type InputOutcome, processInput, resumeInput } from "./process-input.ts";
import type { SessionCore } from "./session-core.ts";
import type { UserInput } from "./user-input.ts";

/** What somebody wants to be worked on. */
export interface AskedWork {
  /** The input; nothing to go on with the one that was cut off. */
  readonly text: string | UserInput | undefined;
  /** Whether there is one to go on with. */
  readonly awaitsResume: boolean;
  /** Whether it may be left where it is. */
  readonly mayLeave: boolean;
}

/** Works on an input, then on the follow-ups that are waiting when it is done. loop: §2.5. */
async function processCycle(core: SessionCore, begin: () => Promise<InputOutcome>): Promise<InputOutcome> {
  let outcome = await begin();
  while (outcome.kind === "completed") {
    const next = core.followUps.shift();
    if (next !== undefined) outcome = await processInput(core, next);
    // Steered behind the last look at the queue, decision 7: nobody would see it until the next input.
    else if (core.steering.length > 0) outcome = await resumeInput(core);
    else break;
  }
  return outcome;
}

function beginInput(core: SessionCore, text: string | UserInput): Promise<InputOutcome> {
  answerOpenCalls(core);
  // Whoever submits an input knows it: nothing is to be kept before something was done about it.
  core.keptTurns = core.conversation.turns.length + 1;
  return processInput(core, text);
}

/**
 * One processing cycle, ready to begin. Throws `config.invalid` where there is nothing to go on with, `session.busy` and
 * `session.closed`.
 */
export function prepareWork(
  core: SessionCore,
  { text, awaitsResume, mayLeave }: AskedWork,
): () => Promise<InputOutcome> {
  if (text === undefined && !awaitsResume) {
    const problem = "there is nothing to go on from, or the session does already";
    throw new EngineError("config.invalid", { field: "resumeFrom", problem });
  }
  // One that is being closed takes nothing either: nobody would work on it, or say how it ended.
  if (core.state === "closed" || (core.signal.aborted && !isWorking(core))) throw new EngineError("session.closed");
  if (isWorking(core) || (text !== undefined && awaitsResume && !mayLeave)) throw new EngineError("session.busy");
  return () => processCycle(core, () => (text === undefined ? resumeInput(core) : beginInput(core, text)));
}
