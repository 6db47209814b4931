// Exports for hosts: adapter kinds that speak the Agent Client Protocol.

export { acp, acpKinds } from "./acp-kinds.ts";
