import type { RouteId } from "../api/access-table.ts";
import { OPERATIONS, OTHER_OPERATIONS } from "../api/operations.ts";
import { DASHBOARD_PATHS } from "./serve-dashboard.ts";

/** Route of a server. */
export interface Route {
  /** Row of the access table. */
  readonly id: RouteId;
  /** HTTP method. */
  readonly method: string;
  /** Path in the router's syntax. */
  readonly path: string;
}

/**
 * All routes of a server. Handlers are registered only for routes in this list. The `id` of a route is a row of the
 * access table, so access to each route is checked.
 */
export const ROUTES: readonly Route[] = [
  ...DASHBOARD_PATHS.map((path) => ({ id: "readDashboard", method: "GET", path }) as const),
  ...[...OTHER_OPERATIONS, ...OPERATIONS].map(({ id, method, path }) => ({
    ...{ id, method },
    // The last parameter of an artifact's path may contain slashes.
    path: path.replace("{run_id}", ":run_id").replace("{path}", "*"),
  })),
];
