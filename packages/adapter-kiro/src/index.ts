// For hosts: the kind of adapter that drives Kiro CLI.

export { kiro } from "./kiro.ts";
