// For hosts: the kind of adapter that drives OpenCode.

export { opencode } from "./opencode.ts";
