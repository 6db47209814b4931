/**
 * Roles of callers. `viewer` reads runs. `runner` also creates and controls runs. `approver` reads runs and answers
 * approval requests. `admin` may do everything, with the runs of all owners. `monitor` reads metrics only. The table
 * `ACCESS` lists the roles that each operation requires.
 */
export const ROLES = ["viewer", "runner", "approver", "admin", "monitor"] as const;

/** Role of a caller. See {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Returns whether a text is the name of a role. */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
