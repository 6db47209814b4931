import { EngineError, type RunStatus } from "@switchyard/contracts";
import { runStatusSchema } from "@switchyard/contracts/schemas";
import { type Caller, maySee } from "../guard/caller.ts";
import type { IndexedRun } from "./run-index.ts";
import { RUN_ORDERS, type RunOrder, type RunSortKey } from "./run-order.ts";

const LIMIT = 50;
const MAX_LIMIT = 200;
/** Maximum length of a search text, in characters. */
const MAX_SEARCH = 200;
const FILTER_NAMES = ["status", "engine", "owner", "parent_run_id", "search", "since", "until"] as const;
const NAMES = ["limit", "cursor", "sort", ...FILTER_NAMES] as const;
/** Matches a decoded cursor: the sort value of the last run on the page, and that run's time of acceptance and id. */
const CURSOR = /^(\d{1,16}(?:\.\d{1,9})?) (\d{4}-\d\d-\d\dT[\d:.]{8,20}Z [A-Za-z0-9_-]{1,128})$/u;

/** Filter for a list of runs. Fields that are `undefined` or empty match every run. */
export interface RunFilter {
  readonly statuses: readonly RunStatus[];
  readonly engine: string | undefined;
  readonly owner: string | undefined;
  readonly parentRunId: string | undefined;
  /** Lower-case words that must all occur in the run's title, engine, model, id or owner. */
  readonly searchTerms: readonly string[];
  /** Earliest time of acceptance of matching runs, inclusive, ISO 8601 in UTC. */
  readonly since: string | undefined;
  /** Latest time of acceptance of matching runs, exclusive, ISO 8601 in UTC. */
  readonly until: string | undefined;
}

/** Query for one page of the list of runs. */
export interface RunQuery {
  readonly filter: RunFilter;
  readonly limit: number;
  readonly order: RunOrder;
  /** Sort key of the last run on the previous page. `undefined` for the first page. */
  readonly after: RunSortKey | undefined;
}

/**
 * Parses the query string of a request for a list of runs. Throws `server.bad_parameter` for an unknown or repeated
 * name, or an invalid value.
 */
export function parseRunQuery(query: URLSearchParams): RunQuery {
  assertNames(query, NAMES);
  const limit = query.get("limit") ?? String(LIMIT);
  if (!/^[1-9]\d{0,2}$/u.test(limit) || Number(limit) > MAX_LIMIT)
    throw bad("limit", `it is not a number from 1 to ${MAX_LIMIT}`);
  const cursor = query.get("cursor");
  const sort = query.get("sort") ?? "-created";
  const order = RUN_ORDERS.find((known) => known === sort);
  if (order === undefined) throw bad("sort", `the known ones are ${RUN_ORDERS.join(", ")}`);
  return {
    ...{ filter: filterIn(query), limit: Number(limit), order },
    after: cursor === null ? undefined : parseCursor(cursor),
  };
}

/** Parses the query string of a request for statistics, which has no pages. Throws `server.bad_parameter`. */
export function parseRunFilter(query: URLSearchParams): RunFilter {
  assertNames(query, FILTER_NAMES);
  return filterIn(query);
}

/** Returns whether a run matches the filter and the caller may access it. */
export function isWanted({ record, text }: IndexedRun, caller: Caller, filter: RunFilter): boolean {
  const { statuses, engine, owner, parentRunId, searchTerms, since, until } = filter;
  return (
    maySee(caller, record.owner) &&
    (statuses.length === 0 || statuses.includes(record.status)) &&
    (engine === undefined || record.engine === engine) &&
    (owner === undefined || record.owner === owner) &&
    (parentRunId === undefined || record.parent_run_id === parentRunId) &&
    (since === undefined || record.created_at >= since) &&
    (until === undefined || record.created_at < until) &&
    searchTerms.every((term) => text.includes(term))
  );
}

/** Returns the cursor of the page that begins after the run with this sort key. */
export function toCursor({ value, position }: RunSortKey): string {
  return Buffer.from(`${value} ${position}`).toString("base64url");
}

function assertNames(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) throw bad(name, `the known ones are ${known.join(", ")}`);
    if (query.getAll(name).length > 1) throw bad(name, "it comes twice");
  }
}

function filterIn(query: URLSearchParams): RunFilter {
  const search = query.get("search") ?? "";
  if (search.length > MAX_SEARCH) throw bad("search", `it is longer than ${MAX_SEARCH} characters`);
  return {
    statuses: (query.get("status")?.split(",") ?? []).map(parseStatus),
    engine: query.get("engine") ?? undefined,
    owner: query.get("owner") ?? undefined,
    parentRunId: query.get("parent_run_id") ?? undefined,
    searchTerms: search.toLowerCase().split(/\s+/u).filter(Boolean),
    since: parseTime(query, "since"),
    until: parseTime(query, "until"),
  };
}

/** Returns a time in the text format of run records, so that times can be compared as texts. */
function parseTime(query: URLSearchParams, name: "since" | "until"): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const ms = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw bad(name, "it is not an ISO 8601 date, or time with its offset from UTC");
  return new Date(ms).toISOString();
}

function parseCursor(cursor: string): RunSortKey {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, value, position] = CURSOR.exec(text) ?? [];
  const isCanonical = Buffer.from(text).toString("base64url") === cursor;
  if (isCanonical && value !== undefined && position !== undefined) return { value: Number(value), position };
  throw bad("cursor", "this server did not issue it");
}

function parseStatus(text: string): RunStatus {
  const parsed = runStatusSchema.safeParse(text);
  if (!parsed.success) throw bad("status", "it is not a run status, or a comma-separated list of run statuses");
  return parsed.data;
}

function bad(name: string, problem: string): EngineError {
  return new EngineError("server.bad_parameter", { name: name.slice(0, 100), problem });
}
