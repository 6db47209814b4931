// Exports for users: services that execute runs, and the types of their handlers.
export type { RunServices, RunServicesOptions } from "./create-run-services.ts";
export { createRunServices } from "./create-run-services.ts";
export type { RunInbox, RunInboxHandlers } from "./run-inbox.ts";
export type { RunAnswer, RunStatusView, RunWorkflowDefinition, RunWorkflowHandlers } from "./run-workflow.ts";
