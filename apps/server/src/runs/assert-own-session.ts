import { EngineError } from "@switchyard/contracts";
import { type Caller, hasRole, maySee } from "../guard/caller.ts";
import type { RunIndex } from "../listing/run-index.ts";

/**
 * Rejects with `server.bad_body` if a caller may not continue a session of the engine. A caller may continue the
 * sessions of runs that the caller may see. An admin may continue every session, including one that was started
 * elsewhere.
 */
export async function assertOwnSession(
  sessionId: string | undefined,
  { caller, index }: { readonly caller: Caller; readonly index: Pick<RunIndex, "all" | "list"> },
): Promise<void> {
  if (sessionId === undefined || sessionId === "" || hasRole(caller, ["admin"])) return;
  const isOwn = async (): Promise<boolean> =>
    (await index.all()).some(({ record }) => record.session_id === sessionId && maySee(caller, record.owner));
  if (await isOwn()) return;
  // Another process may have stored the end of the run since the index was refreshed.
  await index.list();
  if (await isOwn()) return;
  const problem = "input.session_id: none of your runs belongs to this session";
  throw new EngineError("server.bad_body", { problem });
}
