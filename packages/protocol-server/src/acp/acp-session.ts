import { randomUUID } from "node:crypto";
import type { AgentContext, ContentBlock, FileSystemCapabilities, StopReason } from "@agentclientprotocol/sdk";
import { methods } from "@agentclientprotocol/sdk";
import type {
  Envelope,
  ExecutionEnvironment,
  SessionMessage,
  SessionReport,
  UserPrompter,
} from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import { createRunId } from "@switchyard/runner";
import type { PermissionMode } from "@switchyard/settings";
import { approvalSubjectOf, describeCall } from "@switchyard/terminal";
import type { TaskHost } from "../host/task-host.ts";
import { createEditorFiles } from "./editor-files.ts";
import { locationsOf, plannedDiff } from "./file-changes.ts";
import type { PastConversation } from "./past-conversation.ts";
import { toRequestError } from "./request-error.ts";
import { createUpdates, decoded, kindOf } from "./session-updates.ts";
import { type FileEdit, withEditorFiles } from "./with-editor-files.ts";

/** Options of an `AcpSession`. */
export interface AcpSessionOptions {
  /** Host that executes prompts as runs. */
  readonly host: TaskHost;
  /** Initial permission mode. */
  readonly mode: PermissionMode;
  /** MCP servers that the editor passed for the session. */
  readonly mcpServers: McpServers | undefined;
  /** Folder of the session. */
  readonly workspace: string;
  /** File system capabilities of the editor. `undefined` if runs work on files to which the editor has no access. */
  readonly capabilities: FileSystemCapabilities | null | undefined;
  /** Signal that interrupts the session's runs. */
  readonly stop: AbortSignal;
  /** Id of the stored session to continue. Default: a new id. */
  readonly id?: string | undefined;
  /** Conversation of the stored session so far. */
  readonly past?: Pick<PastConversation, "messages" | "engineSession"> | undefined;
  /** Called with the id of each run before the run starts. The run starts when the returned promise has resolved. */
  readonly onRun: (session: AcpSession, runId: string) => Promise<void>;
}

const PERMISSIONS = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_session", name: "Allow this exact call until the prompt ends", kind: "allow_always" },
  { optionId: "deny", name: "Deny", kind: "reject_once" },
] as const;

/** Returns the edits of the given files in a list of edits, and removes them from the list. */
function takeFrom(edits: FileEdit[], paths: readonly string[]): FileEdit[] {
  const matching = edits.filter(({ path }) => paths.includes(path));
  edits.splice(0, edits.length, ...edits.filter((edit) => !matching.includes(edit)));
  return matching;
}

/** Session of an editor: a conversation in which each prompt starts a run that continues the conversation. */
export class AcpSession {
  /** Id of the session. */
  readonly id: string;
  /** Permission mode of the next prompt. */
  mode: PermissionMode;
  readonly #options: AcpSessionOptions;
  #messages: readonly SessionMessage[];
  #engineSession: string | undefined;
  #running: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined;

  /** Creates a session. */
  constructor(options: AcpSessionOptions) {
    this.id = options.id ?? randomUUID();
    this.#messages = options.past?.messages ?? [];
    this.#engineSession = options.past?.engineSession;
    this.#options = options;
    this.mode = options.mode;
  }

  /** Executes a prompt as a run. Rejects if the run cannot start, and with the error of the run. */
  async prompt(
    blocks: readonly ContentBlock[],
    of: { client: AgentContext; signal: AbortSignal },
  ): Promise<StopReason> {
    if (this.#running !== undefined) throw refused("another prompt of the session is in progress.");
    const text = textOf(blocks);
    // Providers reject empty messages. An empty prompt would also make later requests of the conversation fail.
    if (text.trim() === "") throw refused("it is empty.");
    const cancel = new AbortController();
    const work = this.#work(text, { ...of, cancel });
    this.#running = { cancel, ended: work.catch(() => undefined) };
    try {
      return await work;
    } finally {
      this.#running = undefined;
    }
  }

  /** True while a prompt is being executed. */
  get isAtWork(): boolean {
    return this.#running !== undefined;
  }

  /** Interrupts the running prompt. */
  cancel(): void {
    this.#running?.cancel.abort();
  }

  /** Interrupts the running prompt and waits until its run ends. */
  async close(): Promise<void> {
    this.cancel();
    await this.#running?.ended;
  }

  async #work(
    text: string,
    { client, signal, cancel }: { client: AgentContext; signal: AbortSignal; cancel: AbortController },
  ): Promise<StopReason> {
    const { host, workspace, mcpServers, stop } = this.#options;
    const messages: SessionMessage[] = [...this.#messages, { role: "user", content: text }];
    const session = this.#engineSession === undefined ? {} : { session_id: this.#engineSession };
    const ended = AbortSignal.any([signal, cancel.signal, stop]);
    const edits: FileEdit[] = [];
    const updates = createUpdates({ root: workspace, takeEdits: (paths) => takeFrom(edits, paths) });
    const runId = createRunId(host.now());
    await this.#options.onRun(this, runId);
    const report = await host.runTask({
      ...{ runId, prompt: text, input: { messages, workspace, ...session }, mcpServers },
      // The permission mode of the host applies until the editor selects another mode.
      mode: this.mode === this.#options.mode ? undefined : this.mode,
      userPrompter: this.#prompter(client),
      signal: ended,
      wrapEnvironment: (environment) => this.#withEditor(environment, { client, signal: ended, edits }),
      onEvent: async (envelope: Envelope) => {
        for (const update of updates(envelope)) {
          await client.notify(methods.client.session.update, { sessionId: this.id, update });
        }
      },
    });
    this.#remember(report, messages);
    return stopReasonOf(report);
  }

  /**
   * Uses the editor to access files only if the run works in the session's folder. The editor cannot access other
   * files, such as those of a worktree or a container.
   */
  #withEditor(
    environment: ExecutionEnvironment,
    { client, signal, edits }: { client: AgentContext; signal: AbortSignal; edits: FileEdit[] },
  ): ExecutionEnvironment {
    const { capabilities, workspace } = this.#options;
    const offered = environment.workingDirectory === workspace ? capabilities : undefined;
    const files = createEditorFiles({ client, sessionId: this.id, capabilities: offered, signal });
    return withEditorFiles(environment, { files, onEdit: (edit) => edits.push(edit) });
  }

  #remember({ result }: SessionReport, prompt: readonly SessionMessage[]): void {
    // An interrupted prompt stays part of the conversation, because the editor still shows it.
    const transcript: readonly SessionMessage[] | undefined = result?.transcript;
    this.#messages = transcript ?? [...prompt, { role: "assistant", content: result?.final_message ?? "" }];
    this.#engineSession = result?.session_id ?? this.#engineSession;
  }

  #prompter(client: AgentContext): UserPrompter {
    return {
      askUser: async (prompt, { signal } = {}) => {
        const subject = approvalSubjectOf(prompt);
        if (subject === undefined) throw new EngineError("prompt.unavailable");
        const { tool, args } = subject;
        const title = describeCall(tool, args);
        const root = this.#options.workspace;
        const [kind, input] = [kindOf(tool), decoded(args)];
        const about = { locations: locationsOf(input, root), content: kind === "edit" ? plannedDiff(input, root) : [] };
        const toolCall = { toolCallId: randomUUID(), title, kind, rawInput: args, ...about };
        const request = { sessionId: this.id, toolCall, options: [...PERMISSIONS] };
        const cancellation = signal === undefined ? {} : { cancellationSignal: signal };
        const { outcome } = await client.request(methods.client.session.requestPermission, request, cancellation);
        const chosen = outcome.outcome === "selected" ? outcome.optionId : "deny";
        const isKnown = PERMISSIONS.some(({ optionId }) => optionId === chosen);
        return { parts: [{ type: "text", text: isKnown ? chosen : "deny" }] };
      },
    };
  }
}

function refused(problem: string): EngineError {
  return new EngineError("input.invalid", { path: "session/prompt", expected: "prompt", problem });
}

/** Converts a prompt to text. Files that the editor attached are quoted with their URI. */
function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case "text":
          return block.text;
        case "resource_link":
          return `[${block.name}](${block.uri})`;
        case "resource":
          return "text" in block.resource
            ? `<file uri="${block.resource.uri}">\n${block.resource.text}\n</file>`
            : `[${block.resource.uri}]`;
        default:
          throw refused(`content of type ${block.type} is not supported.`);
      }
    })
    .join("\n");
}

function stopReasonOf({ status, error }: SessionReport): StopReason {
  if (status === "completed" || status === "failed") return "end_turn";
  if (status === "interrupted" || status === "cancelled") return "cancelled";
  throw error === undefined ? new EngineError("engine.failed", { problem: status }) : toRequestError(error);
}
