// Exports for users: a client of a Switchyard server.

export type {
  CallOptions,
  ClientOptions,
  CreateRunOptions,
  ForkRunOptions,
  ListRunsOptions,
  RunFilterOptions,
  RunReply,
  Runs,
  SwitchyardClient,
} from "./create-client.ts";
export { createClient } from "./create-client.ts";
export type { WatchOptions } from "./events/watch-run.ts";
export { ServerProblem } from "./http/server-problem.ts";
