// Exports for hosts (programs that embed Switchyard): the adapter for OpenCode.

export { opencode } from "./opencode.ts";
