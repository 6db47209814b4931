// Exports for hosts: the adapter kind for Codex.

export { codex } from "./codex.ts";
