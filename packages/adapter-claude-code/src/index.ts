// Exports for hosts (programs that embed Switchyard): the adapter for Claude Code.

export { claudeCode } from "./claude-code.ts";
