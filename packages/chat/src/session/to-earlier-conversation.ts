import type { StoredRun } from "@switchyard/contracts";
import type { EarlierConversation } from "./chat-host.ts";

/** Converts the last run of a conversation to the conversation that a session continues. */
export function toEarlierConversation({ runId, record, report, request }: StoredRun): EarlierConversation {
  return {
    ...{ runId, title: record?.title ?? "", startedAt: record === undefined ? 0 : Date.parse(record.created_at) },
    ...{ model: request?.input.model ?? report?.model, engine: report?.engine },
    response: report?.result?.final_message ?? "",
  };
}
