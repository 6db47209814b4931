import type { Envelope, SessionHandle, SessionReport } from "@switchyard/contracts";
import { neutraliseControls, type View } from "@switchyard/terminal";
import type { CommandContext, StopRequest } from "../context/command-context.ts";

/** Starts a session that is cancelled when the signal fires. */
export type StartSession = (signal: AbortSignal) => Promise<SessionHandle>;

/** How a session is watched. */
export interface WatchOptions {
  /** Opens what shows it, once it has begun. */
  openView: (handle: SessionHandle) => View;
  /** The command that goes on with the run when this process is gone; nothing where that cannot be. */
  resumeCommand?: ((runId: string) => string) | undefined;
}

/**
 * Starts a session and shows it until it ends. The first request to stop (Ctrl-C, a signal, a reader that went away)
 * interrupts it cleanly, the second cancels it, the third ends the process.
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
    context.stderr.write(`The run was cut off. Go on with: ${resumeCommand(runId)}\n`);
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

/** Diagnostics go to standard error, unless the view shows them on the same terminal. */
function tellReplacedSession({ stdout, stderr }: CommandContext, envelope: Envelope): void {
  if (envelope.type !== "session_replaced" || (stdout.isTerminal && stderr.isTerminal)) return;
  stderr.write(`warning: ${neutraliseControls(envelope.payload.message)}\n`);
}

interface StopControl {
  /** Fires at the second request. */
  readonly signal: AbortSignal;
  /** Where the first request goes; one that came before is handed on at once. */
  attach(handle: SessionHandle): void;
  /** Leaves later requests to the process. */
  detach(): void;
}

function createStopControl(context: CommandContext, beforeExit: () => void): StopControl {
  const cancel = new AbortController();
  let handle: SessionHandle | undefined;
  let first: StopRequest | undefined;
  const interrupt = (request: StopRequest): void => {
    // A process that has to go soon: whatever is done by now should be kept.
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
  const onReaderGone = (): void => handle?.interrupt({ cause: "host_shutdown", detail: "nobody reads the output" });
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
