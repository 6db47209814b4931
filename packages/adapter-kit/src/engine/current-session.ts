import type { AgentAdapter, AgentSession } from "@switchyard/contracts";
import { createTurnRunner, type TurnRunner } from "./turn-runner.ts";

/** The agent session that a run currently uses. */
export interface CurrentSession {
  /** Id of the session; empty until the agent reports it. */
  readonly id: string;
  /** Runs the turns of the session. */
  readonly turnRunner: TurnRunner;
  /** Stops the session and starts an empty one. Rejects if the start fails. */
  replace(): Promise<void>;
  /** Stops the session, once. */
  stop(): Promise<void>;
}

/** Opens the session of a run with `start`, which receives the id of the session to resume. */
export async function openCurrentSession(
  adapter: AgentAdapter,
  start: (resumeSessionId: string) => Promise<AgentSession>,
  resumeSessionId: string,
): Promise<CurrentSession> {
  let session = await start(resumeSessionId);
  let turnRunner = createTurnRunner(adapter, session);
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
    get turnRunner() {
      return turnRunner;
    },
    async replace() {
      await stop();
      session = await start("");
      turnRunner = createTurnRunner(adapter, session);
      isStopped = false;
    },
    stop,
  };
}
