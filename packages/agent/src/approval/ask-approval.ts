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

/** What the user may answer. */
const ANSWERS = ["allow_once", "allow_session", "deny"] as const;

/** An answer of the user about a call. */
type ApprovalAnswer = (typeof ANSWERS)[number];

/** What the user said about a call. */
export interface ApprovalReply {
  /** Whether it runs. */
  readonly answer: ApprovalAnswer;
  /** Why not, in the user's words. */
  readonly why?: string | undefined;
}

/** Most characters of arguments that are shown in a question. */
const MAX_SHOWN_CHARS = 4_000;
/** What would change how the rest of a question looks on a terminal; line ends stay. */
const UNPRINTABLE = /[^\P{C}\n]/gu;

/** Beginning and end: what matters must not hide behind a long beginning. */
function shown(text: string): string {
  return cutMiddle(text, MAX_SHOWN_CHARS).replace(UNPRINTABLE, "\uFFFD");
}

/** What else the model wrote besides the command: a folder, or that nobody waits for it; on one line. */
function besides(args: ToolArguments, command: string): string {
  const others = Object.entries(args).filter(([, value]) => value !== command);
  return others.length === 0 ? "" : `${shown(JSON.stringify(Object.fromEntries(others)))}\n\n`;
}

/** The question about a call. What the model wrote is quoted behind what is asked, so that it cannot pose as it. */
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
    // For hosts that show it in a way of their own: uncut, and as the model wrote it.
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

/** What a reply says, and for a denial why; nothing when it is none of the answers. */
export function parseApprovalReply(reply: UserReply): ApprovalReply | undefined {
  // A host without types may hand over anything.
  if (!Array.isArray(reply?.parts)) return undefined;
  const [first, ...rest] = reply.parts;
  const word = wordOf(first);
  const answer = ANSWERS.find((candidate) => candidate === word);
  if (answer === undefined || rest.length === 0) return answer === undefined ? undefined : { answer };
  // A yes with something behind it is no clear one.
  const isReason = answer === "deny" && rest.every((part) => part?.type === "text");
  const why = isReason ? rest.flatMap((part) => (part.type === "text" ? [part.text.trim()] : [])).join("\n") : "";
  return isReason ? { answer, ...(why === "" ? {} : { why }) } : undefined;
}

/** A question that was not answered is a denial; `why` says what the permission is needed for. */
export function unanswered(error: unknown, why?: string): ApprovalDecision {
  const needed = why === undefined ? "it needs a permission" : `it needs a permission (${why})`;
  const reason = EngineError.is(error, "prompt.unavailable")
    ? `${needed}, and nobody can be asked for it here`
    : `${needed}, and asking for it failed: ${messageOf(error)}`;
  return { decision: "deny", decidedBy: "rule", reason };
}

/** What an answer means for the call. */
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
