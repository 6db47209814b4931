// Exports for hosts (programs that embed Switchyard): the adapter for Codex.

export { codex } from "./codex.ts";
