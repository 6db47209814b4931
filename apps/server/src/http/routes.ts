import type { RouteId } from "../api/access-table.ts";
import { OPERATIONS, OTHER_OPERATIONS } from "../api/operations.ts";
import { DASHBOARD_PATHS } from "./serve-dashboard.ts";

/** Route of a server. */
export interface Route {
  /** Name of the route. The access table `ACCESS` defines, by this name, which roles may use the route. */
  readonly id: RouteId;
  /** HTTP method. */
  readonly method: string;
  /** Path in the router's syntax. */
  readonly path: string;
}

/**
 * All HTTP routes of a server. The server registers handlers only for routes in this list. Before a handler is called,
 * the server looks up the `id` of its route in the access table `ACCESS` and checks that the caller may use the route.
 */
export const ROUTES: readonly Route[] = [
  ...DASHBOARD_PATHS.map((path) => ({ id: "readDashboard", method: "GET", path }) as const),
  ...[...OTHER_OPERATIONS, ...OPERATIONS].map(({ id, method, path }) => ({
    ...{ id, method },
    // The last parameter of an artifact's path may contain slashes.
    path: path.replace("{run_id}", ":run_id").replace("{path}", "*"),
  })),
];
