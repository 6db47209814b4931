import { createHash } from "node:crypto";
import type { Msg } from "@nats-io/transport-node";
import {
  type ClusterWorker,
  EngineError,
  type RunCluster,
  type RunControl,
  type UndoRequest,
} from "@switchyard/contracts";
import { createSerial } from "../codec/create-serial.ts";
import { isTransient, toBrokerFailure } from "./broker/broker-failure.ts";
import {
  parseControl,
  parseDeclined,
  parseIncrements,
  parseOffer,
  parseReply,
  parseRequest,
  parseUndo,
  parseWorker,
  renderControl,
  renderDeclined,
  renderIncrements,
  renderOffer,
  renderReply,
  renderRequest,
  renderUndo,
} from "./cluster/cluster-messages.ts";
import { lead } from "./cluster/lead.ts";
import { filesOf, putFile, readFileOf, removeFiles } from "./cluster/run-files.ts";
import { watchRuns } from "./cluster/watch-runs.ts";
import { createNatsStore, openStoreContext } from "./nats-run-store.ts";
import type { NatsStoreOptions } from "./nats-store-options.ts";
import { followStoredEvents } from "./run/event-log.ts";
import { isLeaseHeld } from "./run/lease-registry.ts";
import { locationOf, type NatsContext } from "./run/run-location.ts";

/** Maximum wait for the reply of a worker to a caller's message, in milliseconds. */
const CONTROL_MS = 5_000;
/** Maximum wait until a worker has reverted the changes of a run, in milliseconds. */
const UNDO_MS = 120_000;
/**
 * Maximum wait, in milliseconds, for a server to confirm that it received increments of a run: events that are not
 * stored.
 */
const INCREMENT_MS = 1_000;

/** Options for `openNatsCluster`. */
export interface NatsClusterOptions extends NatsStoreOptions {
  /**
   * Called with errors that no caller receives: errors of functions that handle messages or restored connections, and
   * rejections of subscriptions by the broker. Default: these errors are ignored.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Connects this process to a cluster: the servers and workers that share the run store of this name. Rejects like
 * `openNatsStore`.
 */
export async function openNatsCluster(options: NatsClusterOptions): Promise<RunCluster> {
  const context = await openStoreContext(options);
  const { broker, name, owner, leaseMs } = context;
  const store = createNatsStore(context, options);
  const messages = createMessages(context, options.onError);
  return {
    store,
    token: owner.token,
    leaseMs,
    watchRuns: (signal) => watchRuns(context, signal),
    followEvents: (runId, following) => followStoredEvents(broker, locationOf(context, runId), following),
    onHeartbeat: (listener) =>
      messages.receive(`${name}.beat.*`, ({ subject }) => listener(subject.split(".")[2] ?? "")),
    onReconnect: (listener) => broker.onReconnect(listener),
    lead: (signal) => lead(context, signal),
    ...queueMessages(context, messages),
    ...controlMessages(context, messages),
    ...incrementMessages(context, messages),
    putFile: (runId, folder, file) => putFile(context, { runId, folder }, file),
    files: (runId, folder) => filesOf(context, { runId, folder }),
    readFile: (runId, folder, path) => readFileOf(context, { runId, folder }, path),
    removeFiles: (runId, folder, path) => removeFiles(context, { runId, folder }, path),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

type Messages = ReturnType<typeof createMessages>;

/** Messages with which workers ask servers for runs, and with which they announce themselves. */
function queueMessages({ broker: { connection }, name }: NatsContext, messages: Messages) {
  const subjects = subjectsOf(name);
  return {
    requestRuns: async (worker, { waitMs, maxRuns = 1 }) => {
      const reply = await messages.ask(subjects.request, renderRequest(worker, maxRuns), waitMs);
      return reply === undefined ? [] : parseOffer(reply.string()).slice(0, maxRuns);
    },
    answerRequests: (answer) =>
      messages.receive(subjects.request, async (message) => {
        const request = parseRequest(message.string());
        const runIds = request === undefined ? [] : await answer(request.worker, request.maxRuns);
        if (runIds.length > 0) message.respond(renderOffer(runIds));
      }),
    declineRun: (declined) => connection.publish(subjects.declined, renderDeclined(declined)),
    onDeclined: (listener) =>
      messages.receive(subjects.declined, (message) => {
        const declined = parseDeclined(message.string());
        if (declined !== undefined) listener(declined);
      }),
    announce: (worker) => connection.publish(subjects.worker, JSON.stringify(worker)),
    onWorker: (listener: (worker: ClusterWorker) => void) =>
      messages.receive(subjects.worker, (message) => {
        const worker = parseWorker(message.string());
        if (worker !== undefined) listener(worker);
      }),
  } satisfies Partial<RunCluster>;
}

/** Messages of callers to the worker that executes a run. */
function controlMessages(context: NatsContext, messages: Messages) {
  const { name } = context;
  return {
    sendControl: async (runId, control) => {
      return isAccepted(await messages.ask(`${name}.cluster.control.${runId}`, renderControl(control), CONTROL_MS));
    },
    receiveControl: ({ runId, epoch }, handle) => {
      const inTurn = createSerial();
      return messages.receive(`${name}.cluster.control.${runId}`, (message) =>
        inTurn(async () => {
          if (await isLeaseHeld(context, locationOf(context, runId), epoch)) message.respond(replyTo(message, handle));
        }),
      );
    },
    requestUndo: async (worker, request) =>
      isAccepted(await messages.ask(undoSubject(name, worker), renderUndo(request), UNDO_MS)),
    receiveUndo: (worker, handle) =>
      messages.receive(undoSubject(name, worker), async (message) => {
        message.respond(await replyToUndo(message, handle));
      }),
  } satisfies Partial<RunCluster>;
}

/** Messages with the events of a run that are not stored. */
function incrementMessages({ name }: NatsContext, messages: Messages) {
  return {
    sendIncrements: async (runId, increments) => {
      const subject = `${name}.cluster.increment.${runId}`;
      return (await messages.ask(subject, renderIncrements(increments), INCREMENT_MS)) !== undefined;
    },
    onIncrement: (runId, listener) =>
      messages.receive(`${name}.cluster.increment.${runId}`, (message) => {
        // The reply tells the sender that a server follows the run.
        message.respond();
        for (const increment of parseIncrements(message.string())) listener(increment);
      }),
  } satisfies Partial<RunCluster>;
}

/** Returns the subjects of the messages between workers and servers. */
function subjectsOf(name: string): Readonly<Record<"request" | "declined" | "worker", string>> {
  const prefix = `${name}.cluster`;
  return { request: `${prefix}.request`, declined: `${prefix}.declined`, worker: `${prefix}.worker` };
}

/** Returns the subject of requests to a worker. It contains a hash, because names may contain any characters. */
function undoSubject(name: string, worker: string): string {
  return `${name}.cluster.undo.${createHash("sha256").update(worker).digest("hex")}`;
}

/** Returns whether a message was accepted. False if nobody replied. Throws the error with which it was refused. */
function isAccepted(reply: Msg | undefined): boolean {
  if (reply === undefined) return false;
  const parsed = parseReply(reply.string());
  if (parsed.kind === "refused") throw parsed.error;
  return true;
}

/** Handles a request to revert the changes of a run, and resolves with the reply. */
async function replyToUndo(message: Msg, handle: (request: UndoRequest) => Promise<void>): Promise<string> {
  try {
    const request = parseUndo(message.string());
    if (request === undefined) throw new EngineError("server.bad_request", { problem: "its format is unknown" });
    await handle(request);
    return renderReply();
  } catch (error) {
    return renderReply(error);
  }
}

/** Handles a message of a caller and returns the reply. */
function replyTo(message: Msg, handle: (control: RunControl) => void): string {
  try {
    const control = parseControl(message.string());
    if (control === undefined) throw new EngineError("server.bad_request", { problem: "its format is unknown" });
    handle(control);
    return renderReply();
  } catch (error) {
    return renderReply(error);
  }
}

/** Sends and receives messages that the broker does not store. */
function createMessages({ broker }: NatsContext, onError: (error: unknown) => void = () => undefined) {
  const { connection, address, requests } = broker;
  return {
    /** Calls `listener` for each message. Returns a function that stops the calls. */
    receive(subject: string, listener: (message: Msg) => void | Promise<void>): () => void {
      const handle = async (message: Msg): Promise<void> => listener(message);
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) handle(message).catch(onError);
          else onError(toBrokerFailure(error, address));
        },
      });
      return () => subscription.unsubscribe();
    },
    /** Resolves with the reply. `undefined` if nobody replies in time. */
    async ask(subject: string, data: string, timeoutMs: number): Promise<Msg | undefined> {
      return await requests.send(subject, data, { timeoutMs }).catch((error: unknown) => {
        if (isTransient(error)) return undefined;
        throw toBrokerFailure(error, address);
      });
    },
  };
}
