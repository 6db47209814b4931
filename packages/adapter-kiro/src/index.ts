// Exports for hosts: the adapter kind for Kiro CLI.

export { kiro } from "./kiro.ts";
