// For hosts: the kinds of adapters that speak the Agent Client Protocol.

export { acp, acpKinds } from "./acp-kinds.ts";
