// Exports for hosts: the adapter kind for OpenCode.

export { opencode } from "./opencode.ts";
