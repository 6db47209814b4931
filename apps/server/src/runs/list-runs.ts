import type { RunView } from "@switchyard/contracts";
import { EngineError, type ListedRun, type RunRecord, type RunStatus, type RunStore } from "@switchyard/contracts";
import { runStatusSchema } from "@switchyard/contracts/schemas";
import { type Caller, maySee } from "../guard/caller.ts";
import { toRunView } from "./run-view.ts";

const LIMIT = 50;
const MAX_LIMIT = 200;
const NAMES = ["limit", "cursor", "status", "engine", "owner", "parent_run_id"] as const;

/** Filter for listing runs. */
export interface RunFilter {
  readonly limit: number;
  readonly after: string | undefined;
  readonly statuses: readonly RunStatus[];
  readonly engine: string | undefined;
  readonly owner: string | undefined;
  readonly parentRunId: string | undefined;
}

/** A page of runs. */
export interface RunPage {
  /** Runs, newest first. */
  readonly runs: RunView[];
  /** Cursor of the next page. Absent on the last page. */
  readonly next_cursor?: string;
}

/**
 * Parses the filter in a query string. Throws `server.bad_parameter` for an unknown or repeated name, or an invalid
 * value.
 */
export function parseRunFilter(query: URLSearchParams): RunFilter {
  for (const name of query.keys()) {
    if (!NAMES.some((known) => known === name)) throw bad(name, `the known ones are ${NAMES.join(", ")}`);
    if (query.getAll(name).length > 1) throw bad(name, "it comes twice");
  }
  const limit = query.get("limit") ?? String(LIMIT);
  if (!/^[1-9]\d{0,2}$/u.test(limit) || Number(limit) > MAX_LIMIT)
    throw bad("limit", `it is no number from 1 to ${MAX_LIMIT}`);
  const cursor = query.get("cursor");
  return {
    limit: Number(limit),
    after: cursor === null ? undefined : parseCursor(cursor),
    statuses: (query.get("status")?.split(",") ?? []).map(parseStatus),
    engine: query.get("engine") ?? undefined,
    owner: query.get("owner") ?? undefined,
    parentRunId: query.get("parent_run_id") ?? undefined,
  };
}

/** Lists the runs that a caller may access, one page at a time. New runs do not shift later pages. */
export async function listRuns(store: RunStore, caller: Caller, filter: RunFilter): Promise<RunPage> {
  const found = (await store.list()).filter(hasRecord).filter(({ record }) => isWanted(record, caller, filter));
  const page = found.slice(0, filter.limit);
  const last = page.at(-1);
  const runs = page.map(({ record, lease }) => toRunView(record, lease));
  return found.length > page.length && last !== undefined ? { runs, next_cursor: toCursor(last.record) } : { runs };
}

/** Damaged runs are not listed, because their owner is unknown. */
function hasRecord(run: ListedRun): run is Extract<ListedRun, { readonly record: RunRecord }> {
  return "record" in run;
}

function isWanted(record: RunRecord, caller: Caller, filter: RunFilter): boolean {
  const { after, statuses, engine, owner, parentRunId } = filter;
  return (
    maySee(caller, record.owner) &&
    (after === undefined || positionOf(record) < after) &&
    (statuses.length === 0 || statuses.includes(record.status)) &&
    (engine === undefined || record.engine === engine) &&
    (owner === undefined || record.owner === owner) &&
    (parentRunId === undefined || record.parent_run_id === parentRunId)
  );
}

/** Returns the sort key under which the store lists a run. */
function positionOf({ created_at, run_id }: RunRecord): string {
  return `${created_at} ${run_id}`;
}

function toCursor(record: RunRecord): string {
  return Buffer.from(positionOf(record)).toString("base64url");
}

function parseCursor(cursor: string): string {
  const position = Buffer.from(cursor, "base64url").toString("utf8");
  const isWhole = Buffer.from(position).toString("base64url") === cursor;
  if (isWhole && /^\d{4}-\d\d-\d\dT[\d:.]{8,20}Z [A-Za-z0-9_-]{1,128}$/u.test(position)) return position;
  throw bad("cursor", "it is none that this server has given");
}

function parseStatus(text: string): RunStatus {
  const parsed = runStatusSchema.safeParse(text);
  if (!parsed.success) throw bad("status", "it is no state of a run, nor several with commas between");
  return parsed.data;
}

function bad(name: string, problem: string): EngineError {
  return new EngineError("server.bad_parameter", { name: name.slice(0, 100), problem });
}
