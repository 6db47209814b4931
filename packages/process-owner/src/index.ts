export type { Liveness, Owner } from "./owner.ts";
export { createProcessOwner, describeOwner } from "./process-owner.ts";
