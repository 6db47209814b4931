import type { SessionHandle, SessionReport } from "@switchyard/contracts";
import { capabilitiesOf } from "@switchyard/engine";
import { followEvents } from "../host/follow-events.ts";
import type { RunningSession } from "./running-session.ts";

/** Makes the handle of a run that goes on until `result` resolves. */
export function createSessionHandle(session: RunningSession, result: Promise<SessionReport>): SessionHandle {
  const { plan, journal, stop, questions, events } = session;
  const acceptsSteering = capabilitiesOf(plan.engine).acceptsSteering === true;
  function say(type: "steer" | "follow_up", text: string): void {
    plan.control.push({ type, text });
    if (!acceptsSteering)
      void events.warn("steering_ignored", `The engine ${plan.engineName} takes no messages while it runs.`);
  }
  return {
    runId: plan.runId,
    startSeq: session.earlier.lastSeq,
    result,
    events: (afterSeq) => followEvents(journal, afterSeq),
    steer: (text) => say("steer", text),
    followUp: (text) => say("follow_up", text),
    answer: (promptId, reply) => questions.answer(promptId, reply),
    interrupt: ({ cause, detail }) => {
      if (!stop.interrupt({ cause, detail })) return;
      const payload = detail === undefined ? { cause } : { cause, detail };
      // A log that cannot be written stops the run by itself.
      events.report("interrupt_requested", payload).catch(() => undefined);
    },
    suggestCheckpoint: () => {
      try {
        plan.engine.suggestCheckpoint?.();
      } catch {
        // A suggestion only; engines that cannot take it go on. engine: CheckpointSuggester.
      }
    },
  };
}
