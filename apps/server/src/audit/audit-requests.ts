import type { IncomingMessage } from "node:http";
import type { ActionId, RouteId } from "../api/access-table.ts";
import { clientAddressOf, clientKeyOf, type ProxyList } from "../connection/client-address.ts";
import type { Caller } from "../guard/caller.ts";
import { createRateMeter, type RateMeter } from "../guard/rate-limit.ts";
import type { AuditEntry, AuditLog } from "./audit-log.ts";

/** Maximum rate of log entries for requests of unknown callers, for each client address. */
const UNKNOWN_CALLERS = { perMinute: 60, burst: 100 };
/** Matches ids that may be logged. Any other text in a URL or a body may be private content of the caller. */
const ID = /^[\w.:-]{1,128}$/u;
const MAX_METHOD = 20;
const DECISIONS: readonly string[] = ["allow_once", "allow_session", "deny"];
/** Error codes for which the outcome is `denied`, whatever the HTTP status. */
const DENYING: ReadonlySet<string> = new Set(["server.unknown_run", "server.too_many_attempts"]);

/** Facts about a handled request. */
export interface AuditedRequest {
  /** The request. */
  readonly incoming: IncomingMessage;
  /** Arrival time, in milliseconds since 1970. */
  readonly atMs: number;
  /** Status of the response. */
  readonly status: number;
  /** Error code of the response. */
  readonly code?: string | undefined;
  /** Caller. `undefined` if it is unknown. */
  readonly caller?: Caller | undefined;
  /** Operation or action. `undefined` if the path does not exist. */
  readonly operation?: RouteId | ActionId | undefined;
  /** Matched route. */
  readonly route?: string | undefined;
  /** Run that the URL names, as in the URL. */
  readonly runId?: string | undefined;
  /** Owner of the run that the URL names, if the caller may access the run. */
  readonly runOwner?: string | undefined;
  /** Run that the request created. */
  readonly createdRunId?: string | undefined;
  /** Answer that the request contains. */
  readonly answer?: { readonly promptId: string; readonly text: string } | undefined;
}

/** Writes requests to an audit log. Entries about unknown callers are limited, so that they cannot fill the disk. */
export class RequestAudit {
  readonly #log: AuditLog;
  readonly #proxies: ProxyList;
  readonly #unknown: RateMeter;
  #omitted = 0;

  constructor(log: AuditLog, { proxies, monotonic }: { proxies: ProxyList; monotonic: () => number }) {
    this.#log = log;
    this.#proxies = proxies;
    this.#unknown = createRateMeter(UNKNOWN_CALLERS, monotonic);
  }

  /** Resolves with false if the log cannot be written. */
  isWritable(): Promise<boolean> {
    return this.#log.isWritable();
  }

  /** Writes a request. Resolves when the entry is on disk. Never rejects. */
  async write(request: AuditedRequest): Promise<void> {
    const { incoming, caller } = request;
    if (caller === undefined && this.#unknown.take(clientKeyOf(incoming, this.#proxies)) > 0) {
      this.#omitted += 1;
      return;
    }
    const omitted = this.#omitted;
    this.#omitted = 0;
    const entry = toEntry(request, clientAddressOf(incoming, this.#proxies));
    await this.#log.write(omitted === 0 ? entry : { ...entry, omitted });
  }
}

function toEntry(request: AuditedRequest, address: string): AuditEntry {
  const { atMs, status, code, caller, operation, route, runId, runOwner, createdRunId, answer } = request;
  // Engines ignore case and surrounding spaces in a decision. The log therefore contains it in lower case, without
  // spaces.
  const decision = operation === "answerApproval" ? (answer?.text.trim().toLowerCase() ?? "") : "";
  return {
    time: new Date(atMs).toISOString(),
    outcome: outcomeOf(status, code),
    status,
    code,
    subject: caller?.subject,
    owner: caller?.owner,
    roles: caller === undefined ? undefined : [...caller.roles],
    operation,
    method: (request.incoming.method ?? "").slice(0, MAX_METHOD),
    route,
    run_id: idOf(runId),
    run_owner: runOwner,
    created_run_id: createdRunId,
    prompt_id: idOf(answer?.promptId),
    decision: DECISIONS.includes(decision) ? decision : undefined,
    address,
  };
}

function idOf(text: string | undefined): string | undefined {
  return text !== undefined && ID.test(text) ? text : undefined;
}

function outcomeOf(status: number, code: string | undefined): AuditEntry["outcome"] {
  if (status < 400) return "allowed";
  return status === 401 || status === 403 || DENYING.has(code ?? "") ? "denied" : "failed";
}
