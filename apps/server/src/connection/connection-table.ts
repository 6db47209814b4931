import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { addressKey } from "./address-key.ts";
import type { ProxyList } from "./client-address.ts";
import type { ConnectionLimits } from "./connection-limits.ts";

/** How often silent connections are checked, in milliseconds. */
const CHECK_MS = 1_000;
/** Unanswered requests of a connection before one of them is authenticated: no browser and no proxy sends so many. */
const MAX_PIPELINED = 16;
/** Time that a connection has for its first request before the limits apply to it, in milliseconds. */
const GRACE_MS = 1_000;

/** Why a connection was closed. */
export type DropReason = "address_limit" | "unauthenticated_limit" | "caller_limit" | "slow_reader" | "refused";

/** Kind of a connection: by what its requests have proved. */
export type ConnectionKind = "authenticated" | "unauthenticated" | "proxy";

interface Connection {
  readonly socket: Socket;
  /** Address that it counts for. */
  readonly key: string;
  kind: ConnectionKind;
  /** Who authenticated a request on it. */
  owner: string | undefined;
  /** Requests that are not answered yet. */
  requests: number;
  /** When it was opened, or when its last response ended, in milliseconds. */
  silentSinceMs: number;
}

/** What a table is made of. */
export interface ConnectionTableOptions {
  readonly limits: ConnectionLimits;
  readonly proxies: ProxyList;
  /** Measures time, in milliseconds. */
  readonly monotonic: () => number;
  /** Called for each connection that is closed by a limit. */
  readonly onDrop: (reason: DropReason) => void;
}

/**
 * All connections of a server. Contract: connections without an authenticated request never take the room of those with
 * one, and no address and no caller takes all of the room of its kind.
 */
export class ConnectionTable {
  readonly #all = new Map<Socket, Connection>();
  readonly #counts: Record<ConnectionKind, number> = { authenticated: 0, unauthenticated: 0, proxy: 0 };
  /** Authenticated connections of each caller. */
  readonly #owned = new Map<string, number>();
  readonly #options: ConnectionTableOptions;
  readonly #timer: NodeJS.Timeout;
  #isCheckDue = false;

  constructor(options: ConnectionTableOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#checkSilent(), CHECK_MS);
    this.#timer.unref();
  }

  /** Number of connections of a kind. */
  count(kind: ConnectionKind): number {
    return this.#counts[kind];
  }

  /** Registers a connection that was accepted. */
  add(socket: Socket): void {
    const { limits, proxies, monotonic } = this.#options;
    const kind = proxies.has(socket.remoteAddress) ? "proxy" : "unauthenticated";
    const key = addressKey(socket.remoteAddress);
    this.#all.set(socket, { socket, key, kind, owner: undefined, requests: 0, silentSinceMs: monotonic() });
    this.#counts[kind] += 1;
    socket.once("close", () => this.#remove(socket));
    if (this.#counts.unauthenticated <= limits.maxUnauthenticated || this.#isCheckDue) return;
    this.#isCheckDue = true;
    // Requests that have arrived with their connections are read before, in this turn of the event loop or the next.
    setImmediate(() => setImmediate(() => this.#checkBurst()));
  }

  /**
   * Registers a request; the connection is silent again when the response is closed. Returns whether the request may be
   * handled: too many unanswered ones without authentication close the connection.
   */
  begin(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#all.get(socket);
    if (connection === undefined) return false;
    connection.requests += 1;
    if (connection.kind === "unauthenticated" && connection.requests > MAX_PIPELINED) {
      this.drop(socket, "unauthenticated_limit");
      return false;
    }
    response.once("close", () => {
      connection.requests -= 1;
      connection.silentSinceMs = this.#options.monotonic();
    });
    return true;
  }

  /** Whether a request on the connection is not answered yet. */
  isBusy(socket: Socket): boolean {
    return (this.#all.get(socket)?.requests ?? 0) > 0;
  }

  /**
   * Counts a connection for the caller that it has authenticated. Makes room by closing an idle connection of that
   * caller, or of any caller. Throws `server.too_many_connections` if none is idle.
   */
  authenticate(socket: Socket, owner: string): void {
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.kind !== "unauthenticated") return;
    const { maxPerCaller, maxAuthenticated } = this.#options.limits;
    if ((this.#owned.get(owner) ?? 0) >= maxPerCaller) this.#makeRoom(maxPerCaller, owner);
    if (this.#counts.authenticated >= maxAuthenticated) this.#makeRoom(maxAuthenticated);
    this.#count(connection, -1);
    connection.kind = "authenticated";
    connection.owner = owner;
    this.#count(connection, 1);
  }

  /** Closes a connection because of a limit. */
  drop(socket: Socket, reason: DropReason): void {
    this.#remove(socket);
    this.#options.onDrop(reason);
    socket.destroy();
  }

  /** Ends the checks. */
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

  #makeRoom(limit: number, owner?: string): void {
    const idle = this.#of("authenticated").filter(({ requests }) => requests === 0);
    const [oldest] = idle.filter((other) => owner === undefined || other.owner === owner).toSorted(bySilence);
    if (oldest === undefined) throw new EngineError("server.too_many_connections", { limit });
    this.drop(oldest.socket, "caller_limit");
  }

  /** Applies the limits to unauthenticated connections that have had time for a request. */
  #checkSilent(): void {
    const { limits, monotonic } = this.#options;
    const open = this.#of("unauthenticated");
    if (open.length === 0) return;
    const latestMs = monotonic() - GRACE_MS;
    const isOver = ({ silentSinceMs }: Connection): boolean => silentSinceMs <= latestMs;
    for (const group of groupsOf(open)) {
      const excess = group.length - limits.maxPerAddress;
      for (const { socket } of group.filter(isOver).slice(0, Math.max(0, excess))) this.drop(socket, "address_limit");
    }
    const left = this.#of("unauthenticated");
    const excess = Math.max(0, left.length - limits.maxUnauthenticated);
    const victims = inOrderOfClosing(left).slice(0, excess).filter(isOver);
    for (const { socket } of victims) this.drop(socket, "unauthenticated_limit");
  }

  /** Keeps a flood below the hard limit, however new its connections are. */
  #checkBurst(): void {
    this.#isCheckDue = false;
    const { limits } = this.#options;
    const open = this.#of("unauthenticated");
    // The other half of the burst is for what is accepted until the next check.
    const excess = open.length - limits.maxUnauthenticated - Math.floor(limits.maxBurst / 2);
    if (excess <= 0) return;
    for (const { socket } of inOrderOfClosing(open).slice(0, excess)) this.drop(socket, "unauthenticated_limit");
  }
}

/** Silent before busy, the oldest first. */
function bySilence(a: Connection, b: Connection): number {
  const isBusy = Number(a.requests > 0) - Number(b.requests > 0);
  return isBusy === 0 ? a.silentSinceMs - b.silentSinceMs : isBusy;
}

/** The connections of each address, in the order in which they are closed. */
function groupsOf(connections: readonly Connection[]): Connection[][] {
  const groups = new Map<string, Connection[]>();
  for (const connection of connections) {
    const group = groups.get(connection.key);
    if (group === undefined) groups.set(connection.key, [connection]);
    else group.push(connection);
  }
  return [...groups.values()].map((group) => group.toSorted(bySilence));
}

/** The oldest of the address that has the most comes first, again and again. */
function inOrderOfClosing(connections: readonly Connection[]): Connection[] {
  return groupsOf(connections)
    .flatMap((group) => group.map((connection, index) => ({ connection, rank: group.length - index })))
    .toSorted((a, b) => b.rank - a.rank || bySilence(a.connection, b.connection))
    .map(({ connection }) => connection);
}
