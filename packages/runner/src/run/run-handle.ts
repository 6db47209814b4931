import { EngineError, type Envelope, type SessionHandle, type SessionReport } from "@switchyard/contracts";

/**
 * Handle of a run that {@link run} started. `await` it for the report, iterate over it for the events, and use the
 * methods of a session handle to steer, answer or interrupt it. Calls made before the run has started take effect when
 * the run starts. The promise rejects only if the run cannot be started.
 */
export interface RunHandle extends SessionHandle, Promise<SessionReport>, AsyncIterable<Envelope> {}

/** Creates the handle of a run whose session starts later. A failed start rejects the handle and its event streams. */
export function createRunHandle(runId: string, started: Promise<SessionHandle>): RunHandle {
  let session: SessionHandle | undefined;
  const result = started.then((handle) => handle.result);
  const ready = started.then(
    (handle) => {
      session = handle;
    },
    () => undefined,
  );
  function whenStarted(action: (handle: SessionHandle) => void): void {
    if (session === undefined) void ready.then(() => session !== undefined && action(session));
    else action(session);
  }
  async function* events(afterSeq?: number): AsyncGenerator<Envelope, void, undefined> {
    // The iterator rejects with the start error, so the same rejection of the handle must not be reported as unhandled.
    result.catch(() => undefined);
    yield* (await started).events(afterSeq);
  }
  const controls: SessionHandle & AsyncIterable<Envelope> = {
    runId,
    startSeq: 0,
    result,
    events,
    steer: (text) => whenStarted((handle) => handle.steer(text)),
    followUp: (text) => whenStarted((handle) => handle.followUp(text)),
    answer: (promptId, reply) => {
      if (session === undefined) throw new EngineError("prompt.unknown", { promptId });
      session.answer(promptId, reply);
    },
    interrupt: (interrupt) => whenStarted((handle) => handle.interrupt(interrupt)),
    suggestCheckpoint: () => whenStarted((handle) => handle.suggestCheckpoint()),
    [Symbol.asyncIterator]: () => events(),
  };
  return Object.assign(result, controls);
}
