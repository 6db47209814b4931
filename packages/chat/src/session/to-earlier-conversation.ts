import type { StoredRun } from "@switchyard/contracts";
import type { EarlierConversation } from "./chat-host.ts";

/** Returns the description of an earlier conversation, given its last run. A session can continue that conversation. */
export function toEarlierConversation({ runId, record, report, request }: StoredRun): EarlierConversation {
  return {
    ...{ runId, title: record?.title ?? "", startedAt: record === undefined ? 0 : Date.parse(record.created_at) },
    ...{ model: request?.input.model ?? report?.model, engine: report?.engine },
    response: report?.result?.final_message ?? "",
  };
}
