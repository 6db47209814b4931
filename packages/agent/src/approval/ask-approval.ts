import { EngineError, messageOf, type UserPrompt, type UserReply } from "@switchyard/contracts";
import type { ApprovalDecision, ApprovalRequest } from "./approval-request.ts";

/** What the user may answer. */
const ANSWERS = ["allow_once", "allow_session", "deny"] as const;

/** An answer of the user about a call. */
export type ApprovalAnswer = (typeof ANSWERS)[number];

/** Most characters of arguments that are shown in a question. */
const MAX_SHOWN_CHARS = 4_000;
/** What would change how the rest of a question looks on a terminal; line ends stay. */
const UNPRINTABLE = /[^\P{C}\n]/gu;

function shown(text: string): string {
  const cut = text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}… (${text.length} characters)`;
  return cut.replace(UNPRINTABLE, "\uFFFD");
}

/** The question about a call. What the model wrote is quoted behind what is asked, so that it cannot pose as it. */
export function approvalPrompt({ tool, args, agentId, callId, targets }: ApprovalRequest, reason?: string): UserPrompt {
  const who = agentId === undefined ? "The agent" : `The subagent ${agentId}`;
  const why = reason === undefined ? "" : ` (${reason})`;
  const what = targets?.command ?? JSON.stringify(args, null, 2);
  const text = `${who} wants to use the tool ${shown(tool)}${shown(why)}. Answer allow_once, allow_session or deny.\n\n${shown(what)}`;
  return {
    parts: [{ type: "text", text }],
    schema: { type: "string", enum: ANSWERS },
    metadata: { kind: "approval", tool, call_id: callId, ...(agentId === undefined ? {} : { agent_id: agentId }) },
  };
}

function wordOf(reply: UserReply): unknown {
  const [part, ...rest] = reply.parts;
  if (part === undefined || rest.length > 0) return undefined;
  if (part.type === "data") return part.value;
  return part.type === "text"
    ? part.text
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase()
    : undefined;
}

/** What a reply says; nothing when it is none of the answers. */
export function parseApprovalReply(reply: UserReply): ApprovalAnswer | undefined {
  // A host without types may hand over anything.
  if (!Array.isArray(reply?.parts)) return undefined;
  const word = wordOf(reply);
  return ANSWERS.find((answer) => answer === word);
}

/** A question that was not answered is a denial, and says why. */
export function unanswered(error: unknown): ApprovalDecision {
  const reason = EngineError.is(error, "prompt.unavailable")
    ? "it needs a permission, and nobody can be asked for it here"
    : `it needs a permission, and asking for it failed: ${messageOf(error)}`;
  return { decision: "deny", decidedBy: "rule", reason };
}

/** What an answer means for the call. */
export function decisionOf(answer: ApprovalAnswer | undefined): ApprovalDecision {
  if (answer === undefined) {
    const reason = "it needs a permission, and the answer was none of allow_once, allow_session and deny";
    return { decision: "deny", decidedBy: "user", reason };
  }
  if (answer === "deny") return { decision: "deny", decidedBy: "user", reason: "the user said no" };
  return { decision: "allow", decidedBy: "user" };
}
