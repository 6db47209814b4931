// For hosts: the kind of adapter that drives Copilot CLI.

export { copilot } from "./copilot.ts";
