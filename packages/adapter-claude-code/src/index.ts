// Exports for hosts: the adapter kind for Claude Code.

export { claudeCode } from "./claude-code.ts";
