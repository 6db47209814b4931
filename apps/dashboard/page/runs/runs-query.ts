import type { ListRunsOptions } from "@switchyard/client";
import type { RunStatus } from "@switchyard/contracts";

/** Groups of statuses to filter by, by their names in the URL. */
export const STATUS_GROUPS = {
  all: { name: "All", statuses: [] },
  active: { name: "Active", statuses: ["queued", "running", "awaiting_input"] },
  waiting: { name: "Needs answer", statuses: ["awaiting_input"] },
  completed: { name: "Completed", statuses: ["completed"] },
  stopped: { name: "Not completed", statuses: ["failed", "error", "interrupted", "cancelled", "timed_out"] },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly statuses: readonly RunStatus[] }>>;
/** Name of a group of statuses. */
export type StatusGroup = keyof typeof STATUS_GROUPS;

/** Groups in the order of the page. */
export const GROUPS: readonly StatusGroup[] = ["all", "active", "waiting", "completed", "stopped"];

/** Periods to filter by, by their names in the URL. */
export const PERIODS = {
  any: { name: "Any time", hours: undefined },
  "1h": { name: "Last hour", hours: 1 },
  "24h": { name: "Last 24 hours", hours: 24 },
  "7d": { name: "Last 7 days", hours: 7 * 24 },
  "30d": { name: "Last 30 days", hours: 30 * 24 },
} as const;
/** Name of a period. */
export type Period = keyof typeof PERIODS;
/** Periods in the order of the page. */
export const PERIOD_ORDER: readonly Period[] = ["any", "1h", "24h", "7d", "30d"];

/** Order of the list. */
export type Sort = NonNullable<ListRunsOptions["sort"]>;
const SORTS: readonly Sort[] = [
  ...(["-created", "created", "-duration", "duration"] as const),
  ...(["-cost", "cost", "-tokens", "tokens"] as const),
];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PAGE_SIZE = 50;

/** Filters, order and page of the list: the state in the page's URL. */
export interface RunsQuery {
  readonly search: string;
  readonly group: StatusGroup;
  /** Name of an engine. Empty: all engines. */
  readonly engine: string;
  /** Owner of the runs. Empty: all owners. */
  readonly owner: string;
  readonly period: Period;
  readonly sort: Sort;
  /** 1-based number of the page. */
  readonly page: number;
  /** Cursor of the page. Empty on the first page. */
  readonly cursor: string;
}

/** Query of the list without filters. */
export const EMPTY_QUERY: RunsQuery = {
  ...{ search: "", group: "all", engine: "", owner: "", period: "any" },
  ...{ sort: "-created", page: 1, cursor: "" },
};

/** Parses the query of the list from the URL. Unknown values are replaced by their defaults. */
export function parseRunsQuery(text: string): RunsQuery {
  const query = new URLSearchParams(text);
  const [status, period, sort] = [query.get("status"), query.get("period"), query.get("sort")];
  const page = Number(query.get("page") ?? "1");
  const cursor = query.get("cursor") ?? "";
  const hasPage = cursor !== "" && Number.isSafeInteger(page) && page > 1;
  return {
    search: query.get("search") ?? "",
    group: GROUPS.find((known) => known === status) ?? "all",
    engine: query.get("engine") ?? "",
    owner: query.get("owner") ?? "",
    period: PERIOD_ORDER.find((known) => known === period) ?? "any",
    sort: SORTS.find((known) => known === sort) ?? "-created",
    page: hasPage ? page : 1,
    cursor: hasPage ? cursor : "",
  };
}

/** Returns the query of the list for the URL; empty if nothing differs from the defaults. */
export function formatRunsQuery(given: RunsQuery): string {
  const { group, page, ...others } = given;
  const query = new URLSearchParams();
  if (group !== "all") query.set("status", group);
  if (page > 1) query.set("page", String(page));
  for (const name of ["search", "engine", "owner", "period", "sort", "cursor"] as const) {
    if (others[name] !== EMPTY_QUERY[name]) query.set(name, others[name]);
  }
  return query.toString();
}

/** Returns whether a query filters the list. */
export function isFiltered({ search, group, engine, owner, period }: RunsQuery): boolean {
  return search !== "" || group !== "all" || engine !== "" || owner !== "" || period !== "any";
}

/** Returns the options that request the list from the server. Times are rounded to minutes. */
export function toListOptions(query: RunsQuery, nowMs: number): ListRunsOptions {
  const { search, group, engine, owner, period, sort, cursor } = query;
  const { statuses } = STATUS_GROUPS[group];
  const { hours } = PERIODS[period];
  const since =
    hours === undefined ? undefined : new Date(Math.floor((nowMs - hours * HOUR_MS) / MINUTE_MS) * MINUTE_MS);
  return {
    ...{ limit: PAGE_SIZE, sort },
    ...(search.trim() === "" ? {} : { search: search.trim() }),
    ...(group === "all" ? {} : { status: statuses }),
    ...(engine === "" ? {} : { engine }),
    ...(owner === "" ? {} : { owner }),
    ...(since === undefined ? {} : { since: since.toISOString() }),
    ...(cursor === "" ? {} : { cursor }),
  };
}

/** Returns which runs a page shows, such as `51–100 of 10,000`. */
export function rangeOf({ page }: RunsQuery, count: number, total: number): string {
  const from = (page - 1) * PAGE_SIZE;
  const shown = count === 0 ? "0" : `${(from + 1).toLocaleString("en-US")}–${(from + count).toLocaleString("en-US")}`;
  return `${shown} of ${total.toLocaleString("en-US")}`;
}
