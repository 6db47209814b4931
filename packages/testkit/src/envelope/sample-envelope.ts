import { type Envelope, HEADER } from "@switchyard/contracts";

const TIME = "2026-01-01T00:00:00.000Z";

/** Returns an event with the given text under the given routing subject. */
export function sampleEnvelope(subject: string, message: string): Envelope {
  return { id: message, type: "warning", subject, time: TIME, attempt: 1, headers: {}, payload: { message } };
}

/** Returns a sample event of a run with a piece of the model's text. */
export function sampleToken(runId: string, content: string): Envelope {
  return {
    id: content,
    type: "assistant_text_delta",
    subject: `engine.run.${runId}.stream.agent.delta`,
    time: TIME,
    attempt: 1,
    headers: { [HEADER.runId]: runId, [HEADER.agentId]: "agent" },
    payload: { type: "token", content },
  };
}

/** Returns the end event of a run. */
export function sampleEnd(runId: string): Envelope {
  return {
    id: `end of ${runId}`,
    type: "run_end",
    subject: `engine.run.${runId}.end`,
    time: TIME,
    attempt: 1,
    headers: { [HEADER.runId]: runId },
    payload: { outcome: "completed" },
  };
}
