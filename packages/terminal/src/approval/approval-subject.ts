import type { UserPrompt } from "@switchyard/contracts";

/** Tool call that needs the user's approval. Everything except `reason` comes from the model and is untrusted. */
export interface ApprovalSubject {
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Command line; `undefined` if the call runs no command. */
  readonly command?: string | undefined;
  /** Folder in which the command would run; `undefined` for the workspace. */
  readonly folder?: string | undefined;
  /** Reason why the call needs approval; `undefined` if only the user's rules require it. */
  readonly reason?: string | undefined;
  /** True if a rule such as `--allow` can allow or deny the call. Rules do not apply to tools of third-party agents. */
  readonly acceptsRules: boolean;
  /** Id of the subagent that makes the call; `undefined` for the root agent. */
  readonly agentId?: string | undefined;
}

/** Returns the tool call for which a question asks approval; `undefined` for any other question. */
export function approvalSubjectOf({ metadata = {} }: UserPrompt): ApprovalSubject | undefined {
  const { kind, tool, command, folder, reason, agent_id: agentId } = metadata;
  const args = argumentsIn(metadata["arguments"]);
  if (kind !== "approval" || tool === undefined || args === undefined) return undefined;
  return { tool, args, command, folder, reason, agentId, acceptsRules: metadata["rules"] !== "none" };
}

function argumentsIn(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined; // Shown as any other question.
  }
}
