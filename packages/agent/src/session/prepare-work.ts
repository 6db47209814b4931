import { EngineError, toEngineError } from "@switchyard/contracts";
import { addMissingResults } from "../conversation/open-calls.ts";
import type { UserInput } from "../conversation/user-input.ts";
import { type InputOutcome, processInput, resumeInput } from "../loop/process-input.ts";
import { isWorking } from "./is-working.ts";
import type { SessionCore } from "./session-core.ts";

/** Request to process an input. */
export interface WorkRequest {
  /** Input to process. `undefined`: resume the interrupted input. */
  readonly text: string | UserInput | undefined;
  /** Whether there is an interrupted input to resume. */
  readonly awaitsResume: boolean;
  /** Whether a new input may replace the interrupted one. */
  readonly mayAbandon: boolean;
}

/** Callbacks for the end of a processing cycle. */
interface CycleEnd {
  /**
   * Called with the outcome of the processing cycle. If this call rejects, `finish` is called a second time with the
   * failure as outcome. It is called only once if processing itself has thrown an error.
   */
  readonly finish: (outcome: InputOutcome) => Promise<void>;
  /** Called after `finish`. */
  readonly end: () => void;
}

/**
 * Function that processes an input, and then queued messages, until nothing is queued. Rejects only if the last call of
 * `finish` rejects.
 */
export type PreparedCycle = (over: CycleEnd) => Promise<void>;

/** Processes an input, then queued follow-ups. See loop: §2.5. */
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
      // Steering messages were queued after the last check. A further model call delivers them now. See architecture:
      // decision 7.
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

/** Emits the start of the session if needed, and resumes its subagents. */
function beginFamily(core: SessionCore): void {
  core.events.start();
  core.subagents.resume();
}

function beginInput(core: SessionCore, text: string | UserInput): Promise<InputOutcome> {
  addMissingResults(core);
  // The submitter still has the input, so it need not be stored before processing starts.
  core.storedTurnCount = core.conversation.turns.length + 1;
  return processInput(core, text, () => beginFamily(core));
}

function resume(core: SessionCore): Promise<InputOutcome> {
  beginFamily(core);
  return resumeInput(core);
}

/**
 * Prepares a processing cycle. Throws `config.invalid` if there is nothing to resume, `session.busy` and
 * `session.closed`.
 */
export function prepareWork(core: SessionCore, { text, awaitsResume, mayAbandon }: WorkRequest): PreparedCycle {
  if (text === undefined && !awaitsResume) {
    const problem = "nothing can be resumed, or the session is already working";
    throw new EngineError("config.invalid", { field: "resumeFrom", problem });
  }
  // A closing session accepts no input, because nothing would process it or report its outcome.
  if (core.state === "closed" || (core.signal.aborted && !isWorking(core))) throw new EngineError("session.closed");
  if (isWorking(core) || (text !== undefined && awaitsResume && !mayAbandon)) throw new EngineError("session.busy");
  const begin = (): Promise<InputOutcome> => (text === undefined ? resume(core) : beginInput(core, text));
  return (over) => processCycle(core, begin, over);
}
