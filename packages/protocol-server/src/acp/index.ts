// Exports for users: serve runs to an editor over the Agent Client Protocol.
export { openStdioWire } from "../host/open-stdio-wire.ts";
export type { ClientTask, TaskHost, Wire } from "../host/task-host.ts";
export type { ServeAcpOptions } from "./serve-acp.ts";
export { serveAcp } from "./serve-acp.ts";
