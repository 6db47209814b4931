/**
 * Labels that identify containers and pods left behind by a dead process. Values: the token of the process that created
 * them, and the run id.
 */
export const OWNER_LABELS = { owner: "switchyard.owner", mark: "switchyard.mark" } as const;
