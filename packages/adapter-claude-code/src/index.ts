// For hosts: the kind of adapter that drives Claude Code.

export { claudeCode } from "./claude-code.ts";
