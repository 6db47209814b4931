// Exports for hosts (programs that embed Switchyard): adapters for agents that speak the Agent Client Protocol.

export { acp, acpKinds } from "./acp-kinds.ts";
