import {
  type FailureCode,
  isJsonObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  type PersistentContext,
  type TurnReport,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";
import type { AcpState } from "./acp-state.ts";
import { endText, endTools } from "./handle-update.ts";
import { codeOf, problemOf } from "./rpc-error.ts";

/** Error codes with which agents report missing authentication: the protocol's error code, and HTTP statuses. */
const AUTHENTICATION_CODES: readonly (number | undefined)[] = [-32_000, 401, 403];

/**
 * Runs a turn, which is one protocol request, and reports how the turn ended. See agent-adapter: Agent Client Protocol.
 */
export async function requestTurn(
  prompt: string,
  turn: TurnScope,
  context: PersistentContext<AcpState>,
): Promise<void> {
  const { peer, state, sessionId } = context;
  state.turn = turn;
  if (state.model !== "") turn.model(state.model);
  try {
    const answer = await peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] }, 0);
    reportQuota(answer, turn);
    endText(state);
    turn.report(reportOf(textAt(answer, "stopReason")));
  } catch (error) {
    if (!EngineError.is(error, "adapter.response_error")) throw error;
    // Secrets in the message need no masking here, because the adapter kit masks reports.
    turn.report({ kind: "failure", problem: problemOf(error), code: failureCode(error) });
  } finally {
    closeTurn(state);
  }
}

/** Emits the text that is still buffered, because later output of the agent belongs to no turn. */
function closeTurn(state: AcpState): void {
  endText(state);
  endTools(state);
  state.turn = undefined;
}

function failureCode(error: EngineError): FailureCode {
  return AUTHENTICATION_CODES.includes(codeOf(error)) ? "adapter.response_error" : "adapter.turn_failed";
}

function reportOf(stopReason: string): TurnReport {
  switch (stopReason) {
    case "end_turn":
      return { kind: "success" };
    case "refusal":
      return { kind: "failure", problem: "its model refused to continue", code: "adapter.turn_refused" };
    case "max_tokens":
      return { kind: "failure", problem: "it reached its token limit", code: "adapter.turn_token_limit" };
    case "max_turn_requests":
      return { kind: "incomplete", code: "adapter.turn_request_limit" };
    case "cancelled":
      return {
        kind: "failure",
        problem: "the agent reported that the turn was cancelled, but no cancellation was requested",
      };
    default:
      return {
        kind: "failure",
        problem: stopReason === "" ? "it gave no reason" : `its reason is ${stopReason}`,
        code: "adapter.turn_outcome_unknown",
      };
  }
}

/** Reports the token usage of the turn, if the agent reports it. The usage of single requests is ignored. */
function reportQuota(answer: JsonObject, turn: TurnScope): void {
  const quota = objectAt(objectAt(answer, "_meta"), "quota");
  const [used] = listAt(quota, "model_usage");
  const model = textAt(used, "model");
  if (model !== "") turn.model(model);
  const count = quota["token_count"];
  if (!isJsonObject(count)) return;
  const either = (first: string, second: string): number | undefined =>
    numberAt(count, first) ?? numberAt(count, second);
  const [inputTokens, outputTokens] = [either("input_tokens", "inputTokens"), either("output_tokens", "outputTokens")];
  if (inputTokens === undefined && outputTokens === undefined) return;
  const cacheReadTokens = either("cached_input_tokens", "cachedInputTokens");
  turn.turnUsage({ inputTokens, outputTokens, cacheReadTokens });
}
