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

/** Answers that the user can choose from. */
const ANSWERS = ["allow_once", "allow_session", "deny"] as const;

/** Answer to an approval question. */
type ApprovalAnswer = (typeof ANSWERS)[number];

/** Parsed reply of the user to an approval question. */
export interface ApprovalReply {
  /** The chosen answer. */
  readonly answer: ApprovalAnswer;
  /** Reason for a denial, in the user's words. */
  readonly why?: string | undefined;
}

/** Maximum length of the arguments shown in a question, in characters. */
const MAX_SHOWN_CHARS = 4_000;
/** Characters that could change how a terminal renders the rest of the question. Newlines are allowed. */
const UNPRINTABLE = /[^\P{C}\n]/gu;

/**
 * Shortens a text in the middle and replaces unprintable characters. If the end were cut off instead, a long beginning
 * could hide the part that matters.
 */
function shown(text: string): string {
  return cutMiddle(text, MAX_SHOWN_CHARS).replace(UNPRINTABLE, "\uFFFD");
}

/** Formats the arguments other than the command on one line, such as the working directory or a background flag. */
function besides(args: ToolArguments, command: string): string {
  const others = Object.entries(args).filter(([, value]) => value !== command);
  return others.length === 0 ? "" : `${shown(JSON.stringify(Object.fromEntries(others)))}\n\n`;
}

/**
 * Creates the question about a call. The model's text is quoted after the question, so that it cannot pose as the
 * question.
 */
export function approvalPrompt(
  { tool, args, agentId, callId, targets }: ApprovalRequest,
  { reason, folder }: { readonly reason?: string | undefined; readonly folder?: string | undefined } = {},
): UserPrompt {
  const requester = agentId === undefined ? "The agent" : `The subagent ${agentId}`;
  const folderNote = folder === undefined ? "" : ` in the folder ${JSON.stringify(folder)}`;
  const why = reason === undefined ? "" : ` (${reason})`;
  const command = targets?.command;
  const description =
    command === undefined ? shown(JSON.stringify(args, null, 2)) : besides(args, command) + shown(command);
  const text = `${requester} wants to use the tool ${shown(tool + folderNote + why)}. Answer allow_once, allow_session or deny.\n\n${description}`;
  return {
    parts: [{ type: "text", text }],
    schema: { type: "string", enum: ANSWERS },
    // Hosts that display the question in their own way need the values exactly as the model wrote them, not shortened.
    metadata: {
      ...{ kind: "approval", tool, call_id: callId, arguments: JSON.stringify(args) },
      ...(agentId === undefined ? {} : { agent_id: agentId }),
      ...(command === undefined ? {} : { command }),
      ...(folder === undefined ? {} : { folder }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}

function nameOfPart(part: Part | undefined): unknown {
  if (part?.type === "data") return part.value;
  return part?.type === "text"
    ? part.text
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase()
    : undefined;
}

/** Parses a reply into the answer, with the reason for a denial. `undefined` if the reply is not a valid answer. */
export function parseApprovalReply(reply: UserReply): ApprovalReply | undefined {
  // The reply is checked, because an untyped host may pass any value.
  if (!Array.isArray(reply?.parts)) return undefined;
  const [first, ...rest] = reply.parts;
  const word = nameOfPart(first);
  const answer = ANSWERS.find((candidate) => candidate === word);
  if (answer === undefined || rest.length === 0) return answer === undefined ? undefined : { answer };
  // An approval with additional fields is treated as invalid, because it is ambiguous.
  const isReason = answer === "deny" && rest.every((part) => part?.type === "text");
  const why = isReason ? rest.flatMap((part) => (part.type === "text" ? [part.text.trim()] : [])).join("\n") : "";
  return isReason ? { answer, ...(why === "" ? {} : { why }) } : undefined;
}

/**
 * Creates the denial of a call whose approval question was not answered. `why` says what the permission is needed for.
 */
export function unanswered(error: unknown, why?: string): ApprovalDecision {
  const needed = why === undefined ? "it needs a permission" : `it needs a permission (${why})`;
  const reason = EngineError.is(error, "prompt.unavailable")
    ? `${needed}, and no user can be asked for approval`
    : `${needed}, and asking for it failed: ${messageOf(error)}`;
  return { decision: "deny", decidedBy: "rule", reason };
}

/** Returns the decision that follows from a reply. */
export function decisionOf(reply: ApprovalReply | undefined): ApprovalDecision {
  if (reply === undefined) {
    const reason = "it needs a permission, and the answer was not allow_once, allow_session or deny";
    return { decision: "deny", decidedBy: "user", reason };
  }
  if (reply.answer === "deny") {
    const reason = reply.why === undefined ? "the user said no" : `the user said no: ${reply.why}`;
    return { decision: "deny", decidedBy: "user", reason };
  }
  return { decision: "allow", decidedBy: "user" };
}
