// Exports for hosts (programs that embed Switchyard): the adapter for Kiro CLI.

export { kiro } from "./kiro.ts";
