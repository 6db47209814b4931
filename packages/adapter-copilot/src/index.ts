// Exports for hosts: the adapter kind for Copilot CLI.

export { copilot } from "./copilot.ts";
