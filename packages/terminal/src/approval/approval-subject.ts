import type { UserPrompt } from "@switchyard/contracts";

/** A tool call that somebody is asked about. Everything in it but `reason` is the model's, and cannot be trusted. */
export interface ApprovalSubject {
  /** Name of the tool. */
  readonly tool: string;
  /** What it would be called with. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The command line, where it is one. */
  readonly command?: string | undefined;
  /** The folder it would run in, where that is not the workspace. */
  readonly folder?: string | undefined;
  /** Why somebody is asked, where it is not plain. */
  readonly reason?: string | undefined;
  /** The subagent that wants it. */
  readonly agentId?: string | undefined;
}

/** The call that a question is about; nothing when it is about something else. */
export function approvalSubjectOf({ metadata = {} }: UserPrompt): ApprovalSubject | undefined {
  const { kind, tool, command, folder, reason, agent_id: agentId } = metadata;
  const args = argumentsIn(metadata["arguments"]);
  if (kind !== "approval" || tool === undefined || args === undefined) return undefined;
  return { tool, args, command, folder, reason, agentId };
}

function argumentsIn(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined; // No question of the agent's: it is shown as any other.
  }
}
