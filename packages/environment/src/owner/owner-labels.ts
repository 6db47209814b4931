/** Labels by which what a dead process left is found: the token of its owner, the mark of its run. */
export const OWNER_LABELS = { owner: "switchyard.owner", mark: "switchyard.mark" } as const;
