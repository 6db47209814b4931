import type { ExecutionEnvironment, ToolResultPart } from "@switchyard/contracts";
import { createAnthropicProfile, Session, type SessionOptions } from "../src/index.ts";
import { type FamilyClient, type FamilyClientOptions, familyClient } from "./family-client.ts";

/** What a session with subagents is made of; a Claude profile unless said otherwise. */
export interface FamilySetup extends Partial<SessionOptions>, FamilyClientOptions {
  readonly environment: ExecutionEnvironment;
}

/** A session whose model tells the members of the family apart by what they were first asked. */
export function familySession({ scripts, onCall, ...options }: FamilySetup): {
  session: Session;
  client: FamilyClient;
} {
  const client = familyClient({ scripts, onCall });
  const profile = createAnthropicProfile({ model: "claude" });
  return { session: new Session({ profile, client, ...options }), client };
}

/** Every result of a call in the history of a session, in order. */
export function resultsIn({ history }: Session): ToolResultPart[] {
  return history.flatMap((turn) => (turn.type === "tool_results" ? turn.results : []));
}

/** What the model was told by the tools of one name. */
export function resultTextsOf(session: Session, name: string): string[] {
  return resultsIn(session).flatMap((result) => (result.name === name ? [result.content] : []));
}
