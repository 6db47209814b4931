import type { Role } from "../guard/role.ts";
import type { OperationId, OtherOperationId } from "./operations.ts";

/** Name of a route: an operation, or a file of the dashboard. */
export type RouteId = OperationId | OtherOperationId | "readDashboard";

/** Name of an action whose required roles differ from those of its route. */
export type ActionId = "answerQuestion" | "answerApproval";

/** Who may use a route: `everyone`, also without a token, or callers with one of these roles. */
export type Access = "everyone" | readonly Role[];

const EVERY_ROLE: readonly Role[] = ["viewer", "runner", "approver", "admin", "monitor"];
const READERS: readonly Role[] = ["viewer", "runner", "approver", "admin"];
const RUNNERS: readonly Role[] = ["runner", "admin"];
const APPROVERS: readonly Role[] = ["approver", "admin"];

/**
 * Roles that each route and action requires. The checks of the server, `/openapi.json`, the reference of roles and the
 * tests are derived from this table. Apart from the role, a caller must own the run that a request names. Only the role
 * `admin` allows access to the runs of other owners.
 */
export const ACCESS: Readonly<Record<RouteId | ActionId, Access>> = {
  readDashboard: "everyone",
  isStarted: "everyone",
  isAlive: "everyone",
  isReady: "everyone",
  describe: EVERY_ROLE,
  readCaller: READERS,
  listRuns: READERS,
  readStatistics: READERS,
  showRun: READERS,
  watchRun: READERS,
  listArtifacts: READERS,
  readArtifact: READERS,
  readPatch: READERS,
  runOnce: RUNNERS,
  createRun: RUNNERS,
  forkRun: RUNNERS,
  steerRun: RUNNERS,
  interruptRun: RUNNERS,
  resumeRun: RUNNERS,
  undoRun: RUNNERS,
  deleteRun: RUNNERS,
  // This route accepts answers to questions and to approval requests. The two rows below define who may answer each
  // kind.
  answerRun: ["runner", "approver", "admin"],
  answerQuestion: RUNNERS,
  // The role `runner` allows a caller to start runs, but not to approve their tool calls.
  answerApproval: APPROVERS,
  readMetrics: ["admin", "monitor"],
};
