/**
 * Labels by which containers and pods of a dead process are found: token of the process that created them, and run id.
 */
export const OWNER_LABELS = { owner: "switchyard.owner", mark: "switchyard.mark" } as const;
