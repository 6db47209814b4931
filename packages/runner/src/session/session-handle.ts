import type { SessionHandle, SessionReport } from "@switchyard/contracts";
import { suggestCheckpoint } from "@switchyard/engine";
import { followEvents } from "../host/follow-events.ts";
import type { RunningSession } from "./running-session.ts";

/** Creates the handle of a session that runs until `result` resolves. */
export function createSessionHandle(session: RunningSession, result: Promise<SessionReport>): SessionHandle {
  const { plan, journal, stop, questions, control, events } = session;
  function send(type: "steer" | "follow_up", text: string): void {
    control.accept({ type, text });
    if (plan.capabilities.acceptsSteering !== true)
      void events.warn("steering_ignored", `The engine ${plan.engineName} takes no messages while it runs.`);
  }
  return {
    runId: plan.runId,
    startSeq: session.earlier.lastSeq,
    result,
    events: (afterSeq) => followEvents(journal, afterSeq),
    steer: (text) => send("steer", text),
    followUp: (text) => send("follow_up", text),
    answer: (promptId, reply) => questions.answer(promptId, reply),
    interrupt: ({ cause, detail }) => {
      if (!stop.interrupt({ cause, detail })) return;
      const payload = detail === undefined ? { cause } : { cause, detail };
      // A failed write to the event log also stops the run, so the rejection needs no handling here.
      events.report("interrupt_requested", payload).catch(() => undefined);
    },
    suggestCheckpoint: () => {
      try {
        suggestCheckpoint(plan.engine);
      } catch {
        // Engines may ignore the suggestion, so an error in it does not concern the caller. See engine:
        // CheckpointSuggester.
      }
    },
  };
}
