import type { Envelope, SessionHandle, SessionReport } from "@switchyard/contracts";
import type { Terminal } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import type { View } from "./view.ts";

/** Function that starts a session. The session is cancelled when the signal aborts. */
export type StartSession = (signal: AbortSignal) => Promise<SessionHandle>;

/** Source of a stop request: the user, or the operator of the machine. */
export type StopRequest = "user" | "shutdown";

/** Output streams and signals of the process that shows a session. */
export interface WatchingProcess extends Pick<Terminal, "stdout" | "stderr"> {
  /** Progress of the process. `hasStarted` becomes true when the session has started. */
  readonly progress: { hasStarted: boolean };
  /** Calls `listener` for each stop request, until the returned function is called. */
  onStopRequest(listener: (request: StopRequest) => void): () => void;
  /** Calls `listener` for an uncaught error, until the returned function is called. */
  onCrash(listener: (error: unknown) => void): () => void;
  /** Ends the process. */
  exit(code: number): never;
}

/** Options of `watchSession`. */
export interface WatchOptions {
  /** Creates the view. Called once the session has started. */
  openView: (handle: SessionHandle) => View | Promise<View>;
  /** Returns the shell command that resumes the run. `undefined` if the run cannot be resumed. */
  resumeCommand?: ((runId: string) => string) | undefined;
}

/**
 * Starts a session and shows it until it ends. The first request to stop interrupts the session cleanly, the second
 * cancels it, and the third ends the process. A closed output pipe counts as the first request.
 */
export async function watchSession(
  context: WatchingProcess,
  start: StartSession,
  { openView, resumeCommand }: WatchOptions,
): Promise<SessionReport> {
  let runId: string | undefined;
  let view: View | undefined;
  const printResumeCommand = (): void => {
    if (runId === undefined || resumeCommand === undefined) return;
    context.stderr.write(`The run was cut off. Resume with: ${resumeCommand(runId)}\n`);
  };
  const stop = createStopControl(context, printResumeCommand);
  const ignoreCrash = context.onCrash(printResumeCommand);
  try {
    const handle = await start(stop.signal);
    runId = handle.runId;
    context.progress.hasStarted = true;
    stop.attach(handle);
    view = await openView(handle);
    for await (const envelope of handle.events(handle.startSeq)) {
      warnOfReplacedSession(context, envelope);
      view.show(envelope);
    }
    return await handle.result;
  } finally {
    view?.close();
    stop.detach();
    ignoreCrash();
  }
}

/**
 * Prints a warning to standard error if the engine replaced the session. Does nothing if the view shows the warning on
 * the same terminal.
 */
function warnOfReplacedSession({ stdout, stderr }: WatchingProcess, envelope: Envelope): void {
  if (envelope.type !== "session_replaced" || (stdout.isTerminal && stderr.isTerminal)) return;
  stderr.write(`warning: ${neutraliseControls(envelope.payload.message)}\n`);
}

interface StopControl {
  /** Aborts at the second request to stop. */
  readonly signal: AbortSignal;
  /** Connects a session, which then receives the user's stop requests, including those made before this call. */
  attach(handle: SessionHandle): void;
  /** Stops listening. */
  detach(): void;
}

function createStopControl(context: WatchingProcess, beforeExit: () => void): StopControl {
  const cancel = new AbortController();
  let handle: SessionHandle | undefined;
  let first: StopRequest | undefined;
  const interrupt = (request: StopRequest): void => {
    // At shutdown the process ends soon, so the progress so far should be stored.
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
