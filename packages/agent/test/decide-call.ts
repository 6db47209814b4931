import type { ToolArguments, UserReply } from "@switchyard/contracts";
import { inertEnvironment } from "@switchyard/testkit";
import {
  type ApprovalDecision,
  type ApprovalPolicyOptions,
  type ApprovalRequest,
  createApprovalPolicy,
  createGeminiProfile,
  createOpenAiProfile,
} from "../src/index.ts";
import type { Workspace } from "./open-workspace.ts";
import { tool } from "./run-session.ts";

const nowhere = (): never => {
  throw new Error("nothing is fetched here");
};
const WEB = { webFetcher: { fetch: nowhere }, webSearcher: { search: nowhere } };

const TOOLS = new Map(
  [
    ...createOpenAiProfile({ model: "m" }).toolRegistry.tools(),
    ...createGeminiProfile({ model: "m", ...WEB }).toolRegistry.tools(),
  ].map((registered) => [registered.definition.name, registered]),
);

/** Returns an approval request for a call of a built-in tool, or of an unknown tool. */
export function requestFor(name: string, args: ToolArguments): ApprovalRequest {
  const registered = TOOLS.get(name) ?? tool(name, () => "");
  const { effects = "unsafe", targets } = registered;
  return { callId: "c", tool: name, args, effects, targets: targets?.(args), sessionId: "s" };
}

/** Decides about one call with an approval policy. */
export async function decide(
  policy: ApprovalPolicyOptions,
  [name, args]: readonly [string, ToolArguments],
  workspace?: Workspace,
): Promise<ApprovalDecision> {
  const environment = workspace?.environment ?? { ...inertEnvironment(), listDirectory: async () => [] };
  const { signal } = new AbortController();
  const turn = (): Promise<void> => Promise.resolve();
  return await createApprovalPolicy(policy)(requestFor(name, args), { environment, signal, turn });
}

/** Returns the decision of a policy about one call: `allow` or `deny`. */
export async function outcomeOf(...input: Parameters<typeof decide>): Promise<string> {
  return (await decide(...input)).decision;
}

/** Returns a user's reply with the given text. */
export function reply(text: string): UserReply {
  return { parts: [{ type: "text", text }] };
}
