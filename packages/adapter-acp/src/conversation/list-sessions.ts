import {
  isJsonObject,
  type JsonObject,
  listAt,
  objectAt,
  type PersistentContext,
  textAt,
} from "@switchyard/adapter-kit";
import type { AcpState } from "./acp-state.ts";

/** Maximum number of pages that are read from the agent's list of sessions. */
const MAX_PAGES = 50;

/**
 * Returns true if the agent's complete list of sessions lacks the session to resume. Some agents return the same error
 * for an unknown session as for any other failure, so only the list proves that the session does not exist. Returns
 * false if the agent cannot list sessions, or if the list fails or is too long. See Agent Client Protocol:
 * session/list.
 */
export async function isSessionUnlisted(
  { peer, sessionId, requestTimeoutMs }: PersistentContext<AcpState>,
  agent: JsonObject,
): Promise<boolean> {
  if (!isJsonObject(objectAt(objectAt(agent, "agentCapabilities"), "sessionCapabilities")["list"])) return false;
  let cursor = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === "" ? {} : { cursor };
    const answer = await peer.request("session/list", params, requestTimeoutMs).catch(() => undefined);
    if (answer === undefined || !Array.isArray(answer["sessions"])) return false;
    if (listAt(answer, "sessions").some((session) => textAt(session, "sessionId") === sessionId)) return false;
    const next = textAt(answer, "nextCursor");
    if (next === "") return true;
    if (next === cursor) return false;
    cursor = next;
  }
  return false;
}
