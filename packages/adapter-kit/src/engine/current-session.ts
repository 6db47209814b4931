import type { AgentAdapter, AgentSession } from "@switchyard/contracts";
import { createEventInlet, type EventInlet } from "./event-inlet.ts";

/** The agent's session that a run uses now. */
export interface CurrentSession {
  /** Its id; empty until the agent has announced it. */
  readonly id: string;
  /** Runs its turns. */
  readonly inlet: EventInlet;
  /** Stops it and starts one without history in its place. Rejects with what keeps the session from starting. */
  replace(): Promise<void>;
  /** Stops it, once. */
  stop(): Promise<void>;
}

/** Opens the session of a run with `start`, which gets the id of the session to resume. */
export async function openCurrentSession(
  adapter: AgentAdapter,
  start: (resumeSessionId: string) => Promise<AgentSession>,
  resumeSessionId: string,
): Promise<CurrentSession> {
  let session = await start(resumeSessionId);
  let inlet = createEventInlet(adapter, session);
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await adapter.stopSession(session);
  };
  return {
    get id() {
      return session.id;
    },
    get inlet() {
      return inlet;
    },
    async replace() {
      await stop();
      session = await start("");
      inlet = createEventInlet(adapter, session);
      isStopped = false;
    },
    stop,
  };
}
