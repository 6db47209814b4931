import { setImmediate } from "node:timers/promises";
import { EngineError, type UserPrompt, type UserReply } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { untilAborted } from "../session/until-aborted.ts";

function isStop(error: unknown): boolean {
  return EngineError.is(error) && (error.class === "interrupted" || error.class === "aborted");
}

/** Waits for a person without counting the time as active time of the session. */
export async function withPausedTimeout<T>({ activeTimer, signal }: SessionCore, act: () => Promise<T>): Promise<T> {
  activeTimer.pause();
  try {
    return await untilAborted(act(), { signal });
  } finally {
    activeTimer.resume();
  }
}

/** Asks the user through the host. Rejects with `prompt.unavailable` if no user can be asked. */
export async function askHost(core: SessionCore, prompt: UserPrompt): Promise<UserReply> {
  const { askUser: ask, signal } = core;
  if (ask === undefined) throw new EngineError("prompt.unavailable");
  try {
    return await withPausedTimeout(core, async () => ask(prompt, { signal }));
  } catch (error) {
    // When the host stops a run, it cancels open questions just before it aborts the session.
    // Waits one tick, so that the error of the abort takes precedence over that of the cancelled question.
    if (isStop(error)) await setImmediate();
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * Asks the user on behalf of a tool. The session is in state `awaiting_input` until the reply arrives. Rejects with
 * `prompt.unavailable` if no user can be asked. See loop: §2.3; architecture: decision 13.
 */
export async function askForTool(core: SessionCore, prompt: UserPrompt): Promise<UserReply> {
  core.toolQuestions += 1;
  core.state = "awaiting_input";
  try {
    return await askHost(core, prompt);
  } finally {
    core.toolQuestions -= 1;
    if (core.toolQuestions === 0 && core.state === "awaiting_input") core.state = "processing";
  }
}
