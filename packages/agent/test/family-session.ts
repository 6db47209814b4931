import type { ExecutionEnvironment, ToolResultPart } from "@switchyard/contracts";
import { createAnthropicProfile, Session, type SessionOptions } from "../src/index.ts";
import { type FamilyClient, type FamilyClientOptions, familyClient } from "./family-client.ts";

/** Options for `familySession`. Default profile: Claude. */
export interface FamilySetup extends Partial<SessionOptions>, FamilyClientOptions {
  readonly environment: ExecutionEnvironment;
}

/** Creates a session with subagents whose scripted model identifies each agent by its first user input. */
export function familySession({ scripts, onCall, ...options }: FamilySetup): {
  session: Session;
  client: FamilyClient;
} {
  const client = familyClient({ scripts, onCall });
  const profile = createAnthropicProfile({ model: "claude" });
  return { session: new Session({ profile, client, ...options }), client };
}

/** Returns all tool results in the history of a session, in order. */
export function resultsIn({ history }: Session): ToolResultPart[] {
  return history.flatMap((turn) => (turn.type === "tool_results" ? turn.results : []));
}

/** Returns the result texts of all calls of the tool with the given name. */
export function resultTextsOf(session: Session, name: string): string[] {
  return resultsIn(session).flatMap((result) => (result.name === name ? [result.content] : []));
}
