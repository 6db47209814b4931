import type { Role } from "../guard/role.ts";

/**
 * Line of the audit log: who did what, and whether the server allowed it. Contains no token and no content of a run.
 */
export interface AuditEntry {
  /** Arrival time of the request, ISO 8601. */
  readonly time: string;
  /**
   * `allowed`: the request succeeded. `denied`: the caller had no valid token, no sufficient role or no access to the
   * run. `failed`: the caller was authorized, but the request failed.
   */
  readonly outcome: "allowed" | "denied" | "failed";
  /** HTTP status of the response. */
  readonly status: number;
  /** Error code of the response. `undefined` if the request succeeded. */
  readonly code?: string | undefined;
  /** Who sent the request; see `Caller.subject`. `undefined` if the caller is unknown. */
  readonly subject?: string | undefined;
  /** Owner of the caller. `undefined` if the caller is unknown. */
  readonly owner?: string | undefined;
  /** Roles of the caller. `undefined` if the caller is unknown. */
  readonly roles?: readonly Role[] | undefined;
  /** Operation, as in the access table. `undefined` if the path does not exist. */
  readonly operation?: string | undefined;
  /** HTTP method. */
  readonly method: string;
  /** Route, with parameters as placeholders. `undefined` if the path does not exist. */
  readonly route?: string | undefined;
  /** Id of the run that the URL names. The run may not exist, or belong to another owner. */
  readonly run_id?: string | undefined;
  /** Owner of the run that the URL names, if the caller may access the run. */
  readonly run_owner?: string | undefined;
  /** Id of the run that the request created. */
  readonly created_run_id?: string | undefined;
  /** Id of the answered question. */
  readonly prompt_id?: string | undefined;
  /** Response to an approval request: `allow_once`, `allow_session` or `deny`. */
  readonly decision?: string | undefined;
  /** IP address of the client. Behind a trusted proxy, the address that the proxy reports. */
  readonly address: string;
  /**
   * Number of requests that were not logged since the previous entry. Requests of unknown callers are not logged if
   * their address has too many entries. `undefined` if no request was left out.
   */
  readonly omitted?: number | undefined;
}

/** Append-only log of requests. */
export interface AuditLog {
  /**
   * Appends an entry. Resolves when the entry is on disk. Never rejects: if the entry cannot be written, it is kept in
   * memory and written later, and {@link AuditLog.isWritable} becomes false.
   */
  write(entry: AuditEntry): Promise<void>;
  /** Resolves with false if earlier entries could not be written, and a new attempt to write them failed. */
  isWritable(): Promise<boolean>;
  /** Closes the log after all entries have been written. */
  close(): Promise<void>;
}
