import { z } from "zod";
import { gitUrlProblem, isGitRef } from "../git/git-source.ts";
import type { GitSource, WorkspaceSource } from "../session/workspace-source.ts";
import { schemaFor } from "./schema-for.ts";

const MAX_NAME = 200;

const gitSourceSchema: z.ZodType<GitSource> = schemaFor<GitSource>()(
  z.strictObject({
    url: z
      .string()
      .superRefine((text, context) => {
        const message = gitUrlProblem(text);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      })
      .describe("URL of the repository: https, ssh or file, without a credential."),
    ref: z
      .string()
      .refine(isGitRef, "it is not a branch, a tag or a commit id")
      .optional()
      .describe("Branch, tag or full commit id; HEAD by default."),
    credential: z.string().min(1).max(MAX_NAME).optional().describe("Name of a credential of the worker."),
  }),
);

/**
 * Schema of a stored `WorkspaceSource`. The values were validated when the run was accepted, so only types are checked.
 * Fields written by later versions are ignored.
 */
export const storedSourceSchema: z.ZodType<WorkspaceSource> = schemaFor<WorkspaceSource>()(
  z.object({
    git: z
      .object({
        url: z.string().describe("URL of the repository: https, ssh or file, without a credential."),
        ref: z.string().optional().describe("Branch, tag or full commit id; HEAD by default."),
        credential: z.string().optional().describe("Name of a credential of the worker."),
      })
      .optional()
      .describe("Repository that the worker checks out."),
    folder: z.string().optional().describe("Name of a folder that the worker offers."),
  }),
);

/** Schema of `WorkspaceSource` in a request. */
export const workspaceSourceSchema: z.ZodType<WorkspaceSource> = schemaFor<WorkspaceSource>()(
  z
    .strictObject({
      git: gitSourceSchema.optional().describe("Repository that the worker checks out."),
      folder: z.string().min(1).max(MAX_NAME).optional().describe("Name of a folder that the worker offers."),
    })
    .refine(({ git, folder }) => (git === undefined) !== (folder === undefined), "set either git or folder"),
);
