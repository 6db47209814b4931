import { readFile } from "node:fs/promises";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { Authenticator, ConnectionOptions, MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import { EngineError, messageOf } from "@switchyard/contracts";
import { type StoreTimer, SYSTEM_TIMER } from "../../owner/store-timer.ts";
import { isTransient, toBrokerFailure } from "./broker-failure.ts";
import type { BrokerOptions } from "./broker-options.ts";
import { BrokerRequests } from "./broker-requests.ts";
import { publishToStream, type StreamMessage } from "./stream-requests.ts";

/** Default maximum time, in milliseconds, for which calls are retried while the broker does not respond. */
const RETRY_TIMEOUT_MS = 30_000;
/** Maximum wait for one response of the broker, in milliseconds. */
export const ANSWER_MS = 2_000;
/** Wait between two attempts to call or to connect, in milliseconds. */
const PAUSE_MS = 100;
const CONNECT_MS = 5_000;
/**
 * Maximum wait, in milliseconds, for another server of the cluster if the connected one reports that it has no
 * JetStream (the message storage of NATS).
 */
const WITHOUT_STREAMS_MS = 3_000;

/** A connection to a broker. */
export interface Broker {
  /** URL of the broker, for error messages. */
  readonly address: string;
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly timer: StoreTimer;
  /** Sends requests. */
  readonly requests: BrokerRequests;
  /**
   * Publishes a message to the stream of its subject, once. Resolves with the sequence number of the message. Rejects with
   * an error that the functions of `broker-failure.ts` recognise.
   */
  publish(subject: string, message: StreamMessage): Promise<number>;
  /**
   * Calls `task` until the broker responds or the retry time is over. Contract: `task` can be repeated. Rejects with
   * `broker.unreachable`, `broker.refused`, or another error of the broker, which callers recognise with the functions
   * of `broker-failure.ts`.
   */
  ask<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Like `ask`, but for writes. Writes have a separate retry time, because a broker with a full disk still responds to
   * reads.
   */
  retry<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Calls `listener` each time the lost connection is restored. The broker may have been restarted meanwhile. Returns a
   * function that stops the calls.
   */
  onReconnect(listener: () => void): () => void;
  /** Closes the connection after pending messages were sent. Repeated calls are allowed. */
  close(): Promise<void>;
}

/** The functions of the NATS client packages that this file uses. */
interface Drivers {
  readonly connect: (options: ConnectionOptions) => Promise<NatsConnection>;
  readonly authenticator: (creds: Uint8Array) => Authenticator;
  readonly headers: () => MsgHdrs;
  readonly jetstream: (connection: NatsConnection, options: { timeout: number }) => JetStreamClient;
  readonly jetstreamManager: (connection: NatsConnection, options: { timeout: number }) => Promise<JetStreamManager>;
}

async function importDrivers(): Promise<Drivers> {
  const [transport, streams] = await Promise.all([import("@nats-io/transport-node"), import("@nats-io/jetstream")]);
  return {
    connect: transport.connect,
    authenticator: transport.credsAuthenticator,
    headers: () => transport.headers(),
    jetstream: streams.jetstream,
    jetstreamManager: streams.jetstreamManager,
  };
}

/** Loads the NATS client, an optional peer dependency. Rejects with `store.driver_missing`. */
async function loadDrivers(): Promise<Drivers> {
  return await importDrivers().catch((error: unknown) => {
    const packages = "@nats-io/transport-node @nats-io/jetstream";
    throw new EngineError(
      "store.driver_missing",
      { store: "NATS", packages, problem: messageOf(error) },
      { cause: error },
    );
  });
}

/** Returns the URLs to connect to. Throws `config.invalid` for a URL with a password, because URLs are logged. */
function addressesOf({ servers }: BrokerOptions): string[] {
  const addresses = typeof servers === "string" ? servers.split(",") : [...servers];
  const isSafe = addresses.length > 0 && addresses.every((address) => address !== "" && !address.includes("@"));
  if (isSafe) return addresses;
  const problem = "it needs addresses without names and passwords";
  throw new EngineError("config.invalid", { field: "servers", problem });
}

/** Reads a credentials file. Rejects with `config.invalid`. */
async function readCreds(path: string): Promise<Uint8Array> {
  return await readFile(path).catch((error: unknown) => {
    throw new EngineError("config.invalid", { field: "credentials", problem: messageOf(error) }, { cause: error });
  });
}

async function credentialsOf({ credentials }: BrokerOptions, { authenticator }: Drivers): Promise<ConnectionOptions> {
  if (credentials === undefined) return {};
  if ("token" in credentials) return { token: credentials.token.reveal() };
  if ("credsFile" in credentials) return { authenticator: authenticator(await readCreds(credentials.credsFile)) };
  return { user: credentials.user, pass: credentials.password.reveal() };
}

/** Returns the connection options without credentials. */
function connectionOptionsOf(options: BrokerOptions, servers: string[]): ConnectionOptions {
  const { caFile, certFile, keyFile } = options.tls ?? {};
  const tls = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
  return {
    servers,
    ...(options.tls === undefined ? {} : { tls }),
    timeout: CONNECT_MS,
    // The client tries to reconnect without a limit. Only calls have a time limit.
    maxReconnectAttempts: -1,
    reconnectTimeWait: PAUSE_MS,
    reconnectJitter: PAUSE_MS,
    ignoreAuthErrorAbort: true,
    // Collecting a stack trace for each request would take longer than the request.
    noAsyncTraces: true,
    name: "switchyard",
  };
}

/**
 * Returns the function that retries calls. Consecutive failing calls share one retry time, because the end of a run
 * makes many calls. Otherwise each of them would wait for the full retry time.
 */
function createAsk(
  timer: StoreTimer,
  { address, retryTimeoutMs }: { address: string; retryTimeoutMs: number },
): Broker["ask"] {
  let failing: { sinceMs: number; lastMs: number } | undefined;
  function canRetry(begunMs: number): boolean {
    const nowMs = timer.monotonic();
    const isOngoing = failing !== undefined && nowMs - failing.lastMs < retryTimeoutMs;
    failing = { sinceMs: isOngoing && failing !== undefined ? failing.sinceMs : nowMs, lastMs: nowMs };
    return nowMs < Math.min(begunMs, failing.sinceMs) + retryTimeoutMs;
  }
  return async (task, signal) => {
    const begunMs = timer.monotonic();
    for (;;) {
      try {
        const answer = await task();
        failing = undefined;
        return answer;
      } catch (error) {
        const isOver = !isTransient(error);
        if (isOver) failing = undefined;
        if (isOver || !canRetry(begunMs)) throw toBrokerFailure(error, address);
      }
      await timer.sleep(PAUSE_MS, { signal });
    }
  };
}

/** Receivers of the status of a connection. */
interface ConnectionFollowers {
  /** Called each time the connection is restored. */
  readonly listeners: ReadonlySet<() => void>;
  /** Receives the errors of the connection. */
  readonly requests: BrokerRequests;
  /** Called with the errors of listeners. */
  readonly onError: (error: unknown) => void;
}

/**
 * Calls the listeners each time the connection is restored, and passes errors of the connection to `requests`, until the
 * connection is closed. An error of a listener does not affect other listeners.
 */
async function followConnection(
  connection: NatsConnection,
  { listeners, requests, onError }: ConnectionFollowers,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === "error") requests.noteError(status.error);
    if (status.type !== "reconnect") continue;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        onError(error);
      }
    }
  }
}

/** Options of `openBroker`. */
export interface OpeningOptions extends BrokerOptions {
  /** Called with errors of the functions that were passed to `onReconnect`. Default: these errors are ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Connects to a broker. Rejects with `config.invalid`, `store.driver_missing` or `broker.unreachable`. See
 * architecture: past one machine.
 */
export async function openBroker(options: OpeningOptions, timer: StoreTimer = SYSTEM_TIMER): Promise<Broker> {
  const servers = addressesOf(options);
  const address = servers.join(",");
  const drivers = await loadDrivers();
  const { connect, jetstream, jetstreamManager } = drivers;
  const connecting = { ...connectionOptionsOf(options, servers), ...(await credentialsOf(options, drivers)) };
  const unreachable = (error: unknown): never => {
    if (EngineError.is(error)) throw error;
    throw new EngineError("broker.unreachable", { address, problem: messageOf(error) }, { cause: error });
  };
  const connection = await connect(connecting).catch(unreachable);
  const { retryTimeoutMs = RETRY_TIMEOUT_MS, onError = () => undefined } = options;
  const ask = createAsk(timer, { address, retryTimeoutMs });
  const asking = { timeout: ANSWER_MS };
  // Another server of the cluster may have JetStream, so the call is retried, but for a shorter time.
  const hasJetStream = connection.info?.jetstream === true;
  const opening = hasJetStream
    ? ask
    : createAsk(timer, { address, retryTimeoutMs: Math.min(retryTimeoutMs, WITHOUT_STREAMS_MS) });
  const jsm = await opening(() => jetstreamManager(connection, asking)).catch(async (error: unknown) => {
    await connection.close();
    return unreachable(error);
  });
  let closed: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const requests = new BrokerRequests(connection);
  followConnection(connection, { listeners, requests, onError }).catch(() => undefined);
  return {
    address,
    connection,
    js: jetstream(connection, asking),
    jsm,
    timer,
    requests,
    publish: (subject, message) =>
      publishToStream(requests, subject, {
        ...message,
        timeoutMs: message.timeoutMs ?? ANSWER_MS,
        createHeaders: drivers.headers,
      }),
    ask,
    retry: createAsk(timer, { address, retryTimeoutMs }),
    onReconnect: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      closed ??= connection.drain().catch(() => connection.close());
      return closed;
    },
  };
}
