// Exports for users: serve runs as tools over the Model Context Protocol.
export { openStdioWire } from "../host/open-stdio-wire.ts";
export type { ClientTask, TaskHost, Wire } from "../host/task-host.ts";
export type { McpHost } from "./mcp-host.ts";
export type { ServeMcpOptions } from "./serve-mcp.ts";
export { serveMcp } from "./serve-mcp.ts";
