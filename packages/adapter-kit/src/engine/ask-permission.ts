import { type AgentPermissionRequest, EngineError, type Host, type UserPrompt } from "@switchyard/contracts";
import { truncateMiddle } from "../output/shorten-text.ts";

/** Answers that the user can choose from. */
const ANSWERS = ["allow_once", "allow_session", "deny"] as const;

/** Maximum length of the arguments in a question's text, in characters. */
const MAX_SHOWN_CHARS = 4_000;
/** Characters that could change how a terminal renders the rest of the question. Newlines are allowed. */
const UNPRINTABLE = /[^\P{C}\n]/gu;

/**
 * Creates the function that asks the user, through the host, for permissions that an agent requests. A call that the
 * user allowed for the session is allowed again until the run ends. Without a user, the permission is denied. See
 * agent-adapter: permissions.
 */
export function createPermissionAsker(
  host: Pick<Host, "askUser">,
  source: string,
): (request: AgentPermissionRequest, signal: AbortSignal) => Promise<boolean> {
  const allowed = new Set<string>();
  return async (request, signal) => {
    const call = JSON.stringify([request.toolName, request.toolArguments]);
    if (allowed.has(call)) return true;
    const answer = await answerOf(host, { source, ...promptOf(request) }, signal);
    if (answer === "allow_session") allowed.add(call);
    return answer === "allow_once" || answer === "allow_session";
  };
}

async function answerOf(host: Pick<Host, "askUser">, prompt: UserPrompt, signal: AbortSignal): Promise<string> {
  try {
    const { parts } = await host.askUser(prompt, { signal });
    const [first] = parts;
    // An answer that consists of several parts is ambiguous, so it counts as a denial.
    if (parts.length !== 1 || first === undefined) return "deny";
    const value = first.type === "text" ? first.text.trim().toLowerCase() : first.type === "data" ? first.value : "";
    return typeof value === "string" ? value : "deny";
  } catch (error) {
    if (EngineError.is(error, "prompt.unavailable")) return "deny";
    throw error;
  }
}

/** Creates the question. Hosts display approvals by `metadata`, which contains the call unchanged. */
function promptOf({ toolName, toolCallId, toolArguments, title, ...request }: AgentPermissionRequest): UserPrompt {
  const { command, cwd: folder } = toolArguments;
  const given = JSON.stringify(toolArguments, null, 2);
  // A title that only repeats the command or the tool's name does not help to decide.
  const reason = request.reason ?? (title === command || title === toolName ? undefined : title);
  const why = reason === undefined ? "" : ` (${reason})`;
  const text = `The agent wants to use the tool ${toolName}${why}. Answer allow_once, allow_session or deny.\n\n${given}`;
  return {
    // Cut in the middle, because a long beginning must not hide the end of the call.
    parts: [{ type: "text", text: truncateMiddle(text.replace(UNPRINTABLE, "\uFFFD"), MAX_SHOWN_CHARS) }],
    schema: { type: "string", enum: ANSWERS },
    metadata: {
      ...{ kind: "approval", tool: toolName, call_id: toolCallId, arguments: JSON.stringify(toolArguments) },
      // The host's rules decide only about tools of the built-in agent.
      rules: "none",
      ...(typeof command === "string" ? { command } : {}),
      ...(typeof folder === "string" ? { folder } : {}),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}
