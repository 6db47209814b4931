// For hosts: the adapter kind for OpenCode.

export { opencode } from "./opencode.ts";
