import {
  EngineError,
  messageOf,
  type Part,
  type ToolArguments,
  type UserPrompt,
  type UserReply,
} from "@switchyard/contracts";
import { cutMiddle } from "../compaction/cut-middle.ts";
import type { ApprovalDecision, ApprovalRequest } from "./approval-request.ts";

/** Possible replies of the user. */
const ANSWERS = ["allow_once", "allow_session", "deny"] as const;

/** Reply of the user to an approval question. */
type ApprovalAnswer = (typeof ANSWERS)[number];

/** Parsed reply to an approval question. */
export interface ApprovalReply {
  /** Whether the call runs. */
  readonly answer: ApprovalAnswer;
  /** Reason for a denial, in the user's words. */
  readonly why?: string | undefined;
}

/** Maximum number of characters of arguments in a question. */
const MAX_SHOWN_CHARS = 4_000;
/** Control and formatting characters that could distort a question on a terminal, except line ends. */
const UNPRINTABLE = /[^\P{C}\n]/gu;

/** Shows the beginning and the end, so that a long beginning cannot hide the important part. */
function shown(text: string): string {
  return cutMiddle(text, MAX_SHOWN_CHARS).replace(UNPRINTABLE, "\uFFFD");
}

/** Returns the other arguments of a command, such as its folder or background execution, on one line. */
function besides(args: ToolArguments, command: string): string {
  const others = Object.entries(args).filter(([, value]) => value !== command);
  return others.length === 0 ? "" : `${shown(JSON.stringify(Object.fromEntries(others)))}\n\n`;
}

/**
 * Creates the approval question for a call. Text from the model is quoted after the question, so that it cannot imitate
 * it.
 */
export function approvalPrompt(
  { tool, args, agentId, callId, targets }: ApprovalRequest,
  { reason, folder }: { readonly reason?: string | undefined; readonly folder?: string | undefined } = {},
): UserPrompt {
  const who = agentId === undefined ? "The agent" : `The subagent ${agentId}`;
  const where = folder === undefined ? "" : ` in the folder ${JSON.stringify(folder)}`;
  const why = reason === undefined ? "" : ` (${reason})`;
  const command = targets?.command;
  const what = command === undefined ? shown(JSON.stringify(args, null, 2)) : besides(args, command) + shown(command);
  const text = `${who} wants to use the tool ${shown(tool + where + why)}. Answer allow_once, allow_session or deny.\n\n${what}`;
  return {
    parts: [{ type: "text", text }],
    schema: { type: "string", enum: ANSWERS },
    // For hosts with their own presentation: complete and unmodified.
    metadata: {
      ...{ kind: "approval", tool, call_id: callId, arguments: JSON.stringify(args) },
      ...(agentId === undefined ? {} : { agent_id: agentId }),
      ...(command === undefined ? {} : { command }),
      ...(folder === undefined ? {} : { folder }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}

function wordOf(part: Part | undefined): unknown {
  if (part?.type === "data") return part.value;
  return part?.type === "text"
    ? part.text
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase()
    : undefined;
}

/** Parses a reply, with the reason of a denial. `undefined` if it is not a valid reply. */
export function parseApprovalReply(reply: UserReply): ApprovalReply | undefined {
  // Hosts without type checking may pass anything.
  if (!Array.isArray(reply?.parts)) return undefined;
  const [first, ...rest] = reply.parts;
  const word = wordOf(first);
  const answer = ANSWERS.find((candidate) => candidate === word);
  if (answer === undefined || rest.length === 0) return answer === undefined ? undefined : { answer };
  // A positive reply followed by other text is not clear.
  const isReason = answer === "deny" && rest.every((part) => part?.type === "text");
  const why = isReason ? rest.flatMap((part) => (part.type === "text" ? [part.text.trim()] : [])).join("\n") : "";
  return isReason ? { answer, ...(why === "" ? {} : { why }) } : undefined;
}

/** Denies an unanswered question. `why` says why the call requires approval. */
export function unanswered(error: unknown, why?: string): ApprovalDecision {
  const needed = why === undefined ? "it needs a permission" : `it needs a permission (${why})`;
  const reason = EngineError.is(error, "prompt.unavailable")
    ? `${needed}, and nobody can be asked for it here`
    : `${needed}, and asking for it failed: ${messageOf(error)}`;
  return { decision: "deny", decidedBy: "rule", reason };
}

/** Converts a reply to a decision. */
export function decisionOf(reply: ApprovalReply | undefined): ApprovalDecision {
  if (reply === undefined) {
    const reason = "it needs a permission, and the answer was none of allow_once, allow_session and deny";
    return { decision: "deny", decidedBy: "user", reason };
  }
  if (reply.answer === "deny") {
    const reason = reply.why === undefined ? "the user said no" : `the user said no: ${reply.why}`;
    return { decision: "deny", decidedBy: "user", reason };
  }
  return { decision: "allow", decidedBy: "user" };
}
