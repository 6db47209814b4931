/** Labels that identify containers and pods left by a dead process: owner token and run id. */
export const OWNER_LABELS = { owner: "switchyard.owner", mark: "switchyard.mark" } as const;
