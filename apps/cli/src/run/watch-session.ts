import type { Envelope, SessionHandle, SessionReport } from "@switchyard/contracts";
import { neutraliseControls, type View } from "@switchyard/terminal";
import type { CommandContext, StopRequest } from "../context/command-context.ts";

/** Starts a session that is cancelled when the signal fires. */
export type StartSession = (signal: AbortSignal) => Promise<SessionHandle>;

/** Options for `watchSession`. */
export interface WatchOptions {
  /** Opens the view of the session after its start. */
  openView: (handle: SessionHandle) => View;
  /** Returns the command that resumes the run if this process ends. `undefined` if the run cannot be resumed. */
  resumeCommand?: ((runId: string) => string) | undefined;
}

/**
 * Starts a session and shows its progress until it ends. The first request to stop (Ctrl-C, a signal, a closed pipe)
 * interrupts the run cleanly, the second cancels it, and the third ends the process.
 */
export async function watchSession(
  context: CommandContext,
  start: StartSession,
  { openView, resumeCommand }: WatchOptions,
): Promise<SessionReport> {
  let runId: string | undefined;
  let view: View | undefined;
  const sayHowToGoOn = (): void => {
    if (runId === undefined || resumeCommand === undefined) return;
    context.stderr.write(`The run was cut off. Resume with: ${resumeCommand(runId)}\n`);
  };
  const stop = createStopControl(context, sayHowToGoOn);
  const ignoreCrash = context.onCrash(sayHowToGoOn);
  try {
    const handle = await start(stop.signal);
    runId = handle.runId;
    context.progress.hasStarted = true;
    view = openView(handle);
    stop.attach(handle);
    for await (const envelope of handle.events(handle.startSeq)) {
      tellReplacedSession(context, envelope);
      view.show(envelope);
    }
    return await handle.result;
  } finally {
    view?.close();
    stop.detach();
    ignoreCrash();
  }
}

/** Prints warnings to standard error, unless the view shows them on the same terminal. */
function tellReplacedSession({ stdout, stderr }: CommandContext, envelope: Envelope): void {
  if (envelope.type !== "session_replaced" || (stdout.isTerminal && stderr.isTerminal)) return;
  stderr.write(`warning: ${neutraliseControls(envelope.payload.message)}\n`);
}

interface StopControl {
  /** Fires at the second request. */
  readonly signal: AbortSignal;
  /** Sends the first request to the session, immediately if it was already received. */
  attach(handle: SessionHandle): void;
  /** Stops handling requests. */
  detach(): void;
}

function createStopControl(context: CommandContext, beforeExit: () => void): StopControl {
  const cancel = new AbortController();
  let handle: SessionHandle | undefined;
  let first: StopRequest | undefined;
  const interrupt = (request: StopRequest): void => {
    // The process has to exit soon, so the progress is saved first.
    if (request === "shutdown") handle?.suggestCheckpoint();
    handle?.interrupt({ cause: request === "shutdown" ? "host_shutdown" : "user_cancel" });
  };
  const ignore = context.onStopRequest((request) => {
    if (cancel.signal.aborted) {
      beforeExit();
      context.exit(130);
    }
    if (first !== undefined) return cancel.abort();
    first = request;
    interrupt(request);
  });
  const onReaderGone = (): void =>
    handle?.interrupt({ cause: "host_shutdown", detail: "the reader of the output closed the pipe" });
  context.stdout.readerGone.addEventListener("abort", onReaderGone, { once: true });
  return {
    signal: cancel.signal,
    attach(started) {
      handle = started;
      if (first !== undefined) interrupt(first);
      if (context.stdout.readerGone.aborted) onReaderGone();
    },
    detach() {
      ignore();
      context.stdout.readerGone.removeEventListener("abort", onReaderGone);
    },
  };
}
