// Exports for hosts (programs that embed Switchyard): the adapter for Copilot CLI.

export { copilot } from "./copilot.ts";
