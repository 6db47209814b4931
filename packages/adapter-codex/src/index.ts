// For hosts: the kind of adapter that drives Codex.

export { codex } from "./codex.ts";
