import { EngineError, toEngineError } from "@switchyard/contracts";
import { addMissingResults } from "../conversation/open-calls.ts";
import type { UserInput } from "../conversation/user-input.ts";
import { type InputOutcome, processInput, resumeInput } from "../loop/process-input.ts";
import { isWorking } from "./is-working.ts";
import type { SessionCore } from "./session-core.ts";

/** What somebody wants to be worked on. */
export interface WorkRequest {
  /** The input; nothing to go on with the one that was cut off. */
  readonly text: string | UserInput | undefined;
  /** Whether there is one to go on with. */
  readonly awaitsResume: boolean;
  /** Whether it may be left where it is. */
  readonly mayAbandon: boolean;
}

/** Who is told when a cycle is over. */
interface CycleEnd {
  /** Takes what came of it; once more where that fails. */
  readonly finish: (outcome: InputOutcome) => Promise<void>;
  /** Called behind that. */
  readonly end: () => void;
}

/** A cycle that is ready to begin; never rejects but with what `finish` rejects with for its own failure. */
export type PreparedCycle = (over: CycleEnd) => Promise<void>;

/** Works on an input, then on the follow-ups that are waiting when it is done. loop: §2.5. */
async function processCycle(
  core: SessionCore,
  begin: () => Promise<InputOutcome>,
  { finish, end }: CycleEnd,
): Promise<void> {
  try {
    let outcome = await begin();
    while (outcome.kind === "completed") {
      const next = core.followUps.shift();
      if (next !== undefined) outcome = await processInput(core, next);
      // Steered behind the last look at the queue, decision 7: nobody would see it until the next input.
      else if (core.steering.length > 0) outcome = await resumeInput(core);
      else break;
    }
    await finish(outcome);
  } catch (error) {
    if (core.signal.aborted) await finish({ kind: "aborted" });
    else await finish({ kind: "failed", error: toEngineError(error), rounds: core.rounds });
  } finally {
    end();
  }
}

/** Says that the session begins, where it does, and has those below it go on. */
function beginFamily(core: SessionCore): void {
  core.events.start();
  core.subagents.resume();
}

function beginInput(core: SessionCore, text: string | UserInput): Promise<InputOutcome> {
  addMissingResults(core);
  // Whoever submits an input knows it: nothing is to be kept before something was done about it.
  core.storedTurnCount = core.conversation.turns.length + 1;
  return processInput(core, text, () => beginFamily(core));
}

function resume(core: SessionCore): Promise<InputOutcome> {
  beginFamily(core);
  return resumeInput(core);
}

/**
 * One processing cycle, ready to begin. Throws `config.invalid` where there is nothing to go on with, `session.busy` and
 * `session.closed`.
 */
export function prepareWork(core: SessionCore, { text, awaitsResume, mayAbandon }: WorkRequest): PreparedCycle {
  if (text === undefined && !awaitsResume) {
    const problem = "there is nothing to go on from, or the session does already";
    throw new EngineError("config.invalid", { field: "resumeFrom", problem });
  }
  // One that is being closed takes nothing either: nobody would work on it, or say how it ended.
  if (core.state === "closed" || (core.signal.aborted && !isWorking(core))) throw new EngineError("session.closed");
  if (isWorking(core) || (text !== undefined && awaitsResume && !mayAbandon)) throw new EngineError("session.busy");
  const begin = (): Promise<InputOutcome> => (text === undefined ? resume(core) : beginInput(core, text));
  return (over) => processCycle(core, begin, over);
}
