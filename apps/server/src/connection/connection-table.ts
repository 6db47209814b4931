import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { addressKey } from "./address-key.ts";
import type { ProxyList } from "./client-address.ts";
import type { ConnectionLimits } from "./connection-limits.ts";

/** Interval at which idle connections are checked, in milliseconds. */
const CHECK_MS = 1_000;
/**
 * Maximum number of pending requests on a connection without an authenticated request. Browsers and proxies send fewer.
 */
const MAX_PIPELINED = 16;
/**
 * Time in which a new connection can send its first request before the limits apply to the connection, in milliseconds.
 */
const GRACE_MS = 1_000;

/** Reason for closing a connection. */
export type DropReason = "address_limit" | "unauthenticated_limit" | "caller_limit" | "slow_reader" | "refused";

/**
 * Kind of a connection: `proxy` if the peer is a trusted proxy, otherwise `authenticated` after an authenticated
 * request.
 */
export type ConnectionKind = "authenticated" | "unauthenticated" | "proxy";

interface Connection {
  readonly socket: Socket;
  /** Key of the client's address or network, under which the connection is counted. */
  readonly key: string;
  kind: ConnectionKind;
  /**
   * Caller that authenticated on the connection. Always `undefined` for a proxy, because a proxy's connection carries
   * requests of many callers.
   */
  owner: string | undefined;
  /** True once the connection has sent an authenticated request. */
  isProven: boolean;
  /** Number of pending requests. */
  requests: number;
  /** Time at which the connection was opened or the connection's last response ended, in milliseconds. */
  silentSinceMs: number;
}

/** Options of the table of open connections. */
export interface ConnectionTableOptions {
  readonly limits: ConnectionLimits;
  readonly proxies: ProxyList;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Called for each connection closed because of a limit. */
  readonly onDrop: (reason: DropReason) => void;
}

/**
 * All connections of a server. Contract: unauthenticated connections never displace authenticated ones, and no address
 * or caller can use all connections of a kind. Connections of trusted proxies share the limit of authenticated
 * connections. If the limit is reached, idle proxy connections that have never sent an authenticated request are closed
 * first.
 */
export class ConnectionTable {
  readonly #all = new Map<Socket, Connection>();
  readonly #counts: Record<ConnectionKind, number> = { authenticated: 0, unauthenticated: 0, proxy: 0 };
  /** Number of authenticated connections, by caller. */
  readonly #owned = new Map<string, number>();
  /** Responses to requests whose connections are open. */
  readonly #pending = new Set<ServerResponse>();
  readonly #options: ConnectionTableOptions;
  readonly #timer: NodeJS.Timeout;
  #isCheckDue = false;

  constructor(options: ConnectionTableOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#checkSilent(), CHECK_MS);
    this.#timer.unref();
  }

  /** Returns the number of connections of a kind. */
  count(kind: ConnectionKind): number {
    return this.#counts[kind];
  }

  /** Registers an accepted connection. */
  add(socket: Socket): void {
    const { proxies, monotonic } = this.#options;
    const kind = proxies.has(socket.remoteAddress) ? "proxy" : "unauthenticated";
    const key = addressKey(socket.remoteAddress);
    this.#all.set(socket, {
      socket,
      key,
      kind,
      owner: undefined,
      isProven: false,
      requests: 0,
      silentSinceMs: monotonic(),
    });
    this.#counts[kind] += 1;
    socket.once("close", () => this.#remove(socket));
    if ((this.#unprovenExcess() <= 0 && this.#callerExcess() <= 0) || this.#isCheckDue) return;
    this.#isCheckDue = true;
    // The check waits two event loop turns, so that requests that arrived with their connections are read first.
    setImmediate(() => setImmediate(() => this.#checkBurst()));
  }

  /**
   * Registers a request on its connection until the response is closed. Returns whether to handle the request. If too
   * many unauthenticated requests are pending on a connection, the connection is closed instead.
   */
  begin(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#all.get(socket);
    if (connection === undefined) return false;
    connection.requests += 1;
    if (connection.kind === "unauthenticated" && connection.requests > MAX_PIPELINED) {
      this.drop(socket, "unauthenticated_limit");
      return false;
    }
    this.#pending.add(response);
    response.once("close", () => {
      this.#pending.delete(response);
      connection.requests -= 1;
      connection.silentSinceMs = this.#options.monotonic();
    });
    return true;
  }

  /** Returns whether the connection has a pending request. */
  isBusy(socket: Socket): boolean {
    return (this.#all.get(socket)?.requests ?? 0) > 0;
  }

  /**
   * Resolves when the requests that have arrived completely have their responses, or their connections are closed. Does
   * not wait for responses that have begun, such as event streams.
   */
  async answered(): Promise<void> {
    const due = [...this.#pending].filter(({ headersSent, req }) => !headersSent && req.complete);
    await Promise.all(due.map((response) => once(response, "close")));
  }

  /**
   * Counts a connection for its authenticated caller. If this exceeds a limit, closes an idle connection of the same
   * caller or of any caller. Throws `server.too_many_connections` if no connection is idle.
   */
  authenticate(socket: Socket, owner: string): void {
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.isProven) return;
    const { maxPerCaller, maxAuthenticated } = this.#options.limits;
    const isProxied = connection.kind === "proxy";
    if (!isProxied && (this.#owned.get(owner) ?? 0) >= maxPerCaller) this.#makeRoom(maxPerCaller, owner);
    if (this.#callerExcess() >= (isProxied ? 1 : 0)) this.#makeRoom(maxAuthenticated);
    connection.isProven = true;
    if (isProxied) return;
    this.#count(connection, -1);
    connection.kind = "authenticated";
    connection.owner = owner;
    this.#count(connection, 1);
  }

  /** Closes a connection that exceeds a limit. */
  drop(socket: Socket, reason: DropReason): void {
    this.#remove(socket);
    this.#options.onDrop(reason);
    socket.destroy();
  }

  /** Stops the periodic checks of idle connections. */
  close(): void {
    clearInterval(this.#timer);
  }

  #of(kind: ConnectionKind): Connection[] {
    return [...this.#all.values()].filter((connection) => connection.kind === kind);
  }

  #remove(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (this.#all.delete(socket) && connection !== undefined) this.#count(connection, -1);
  }

  #count({ kind, owner }: Connection, by: 1 | -1): void {
    this.#counts[kind] += by;
    if (owner === undefined) return;
    const owned = (this.#owned.get(owner) ?? 0) + by;
    if (owned > 0) this.#owned.set(owner, owned);
    else this.#owned.delete(owner);
  }

  /** Returns the number of unauthenticated connections above `maxUnauthenticated`. */
  #unprovenExcess(): number {
    return this.#counts.unauthenticated - this.#options.limits.maxUnauthenticated;
  }

  /** Returns the number of authenticated and proxy connections above `maxAuthenticated`. */
  #callerExcess(): number {
    return this.#counts.authenticated + this.#counts.proxy - this.#options.limits.maxAuthenticated;
  }

  /** Returns the proxy connections without a pending request, in the order in which they are closed. */
  #idleProxied(): Connection[] {
    return this.#of("proxy")
      .filter(({ requests }) => requests === 0)
      .toSorted((a, b) => Number(a.isProven) - Number(b.isProven) || bySilence(a, b));
  }

  #makeRoom(limit: number, owner?: string): void {
    const [proxied] = owner === undefined ? this.#idleProxied() : [];
    const idle = this.#of("authenticated").filter(({ requests }) => requests === 0);
    const [direct] = idle.filter((other) => owner === undefined || other.owner === owner).toSorted(bySilence);
    const oldest = proxied === undefined || (proxied.isProven && direct !== undefined) ? direct : proxied;
    if (oldest === undefined) throw new EngineError("server.too_many_connections", { limit });
    this.drop(oldest.socket, "caller_limit");
  }

  /** Applies the limits to unauthenticated connections that have had time to send a request. */
  #checkSilent(): void {
    const { limits, monotonic } = this.#options;
    const open = this.#of("unauthenticated");
    const latestMs = monotonic() - GRACE_MS;
    const isOver = ({ silentSinceMs }: Connection): boolean => silentSinceMs <= latestMs;
    for (const group of groupsOf(open)) {
      const excess = group.length - limits.maxPerAddress;
      for (const { socket } of group.filter(isOver).slice(0, Math.max(0, excess))) this.drop(socket, "address_limit");
    }
    this.#dropUnproven({ slack: 0, isDue: isOver });
  }

  /**
   * Closes unauthenticated connections and idle proxy connections that exceed their limits. Together, `slack`
   * connections above the limits may stay open. Closes only connections for which `isDue` returns true.
   */
  #dropUnproven({ slack, isDue }: { slack: number; isDue: (connection: Connection) => boolean }): void {
    const unprovenExcess = Math.max(0, this.#unprovenExcess());
    const excess = Math.max(0, unprovenExcess - slack);
    const proxiedExcess = Math.max(0, this.#callerExcess() - Math.max(0, slack - unprovenExcess));
    const unproven = excess === 0 ? [] : inOrderOfClosing(this.#of("unauthenticated")).slice(0, excess);
    const idle = proxiedExcess === 0 ? [] : this.#idleProxied().slice(0, proxiedExcess);
    for (const connection of [...unproven, ...idle])
      if (isDue(connection)) this.drop(connection.socket, "unauthenticated_limit");
  }

  /** Closes connections, regardless of their age, so that a burst stays below the hard limit. */
  #checkBurst(): void {
    this.#isCheckDue = false;
    // Half of the allowed burst is reserved for connections that are accepted before the next check.
    this.#dropUnproven({ slack: Math.floor(this.#options.limits.maxBurst / 2), isDue: () => true });
  }
}

/** Compares connections for sorting: idle ones first, and the oldest first. */
function bySilence(a: Connection, b: Connection): number {
  const isBusy = Number(a.requests > 0) - Number(b.requests > 0);
  return isBusy === 0 ? a.silentSinceMs - b.silentSinceMs : isBusy;
}

/** Returns the connections grouped by address, in the order in which they are to be closed. */
function groupsOf(connections: readonly Connection[]): Connection[][] {
  const groups = new Map<string, Connection[]>();
  for (const connection of connections) {
    const group = groups.get(connection.key);
    if (group === undefined) groups.set(connection.key, [connection]);
    else group.push(connection);
  }
  return [...groups.values()].map((group) => group.toSorted(bySilence));
}

/**
 * Returns connections in the order in which they are to be closed. The next is always the oldest connection of the
 * address with the most remaining connections.
 */
function inOrderOfClosing(connections: readonly Connection[]): Connection[] {
  return groupsOf(connections)
    .flatMap((group) => group.map((connection, index) => ({ connection, rank: group.length - index })))
    .toSorted((a, b) => b.rank - a.rank || bySilence(a.connection, b.connection))
    .map(({ connection }) => connection);
}
