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
import type { CommandContext } from "../context/command-context.ts";
import { withInputOptions } from "../run/with-input-options.ts";
import { performTask } from "../task/perform-task.ts";
import type { TaskOptions } from "../task/task-options.ts";
import { createEditorFiles } from "./editor-files.ts";
import { locationsOf, plannedDiff } from "./file-changes.ts";
import type { PastConversation } from "./past-conversation.ts";
import { toRequestError } from "./request-error.ts";
import { createUpdates, decoded, kindOf } from "./session-updates.ts";
import { type FileEdit, withEditorFiles } from "./with-editor-files.ts";

/** What a session of an editor is made of. */
export interface AcpSessionOptions {
  /** Options of the command. */
  readonly options: TaskOptions;
  /** What its agent may do at first. */
  readonly mode: PermissionMode;
  /** MCP servers of the editor. */
  readonly mcpServers: McpServers | undefined;
  /** Folder that is worked in. */
  readonly workspace: string;
  /** What the editor offers of its own file system. */
  readonly capabilities: FileSystemCapabilities | null | undefined;
  /** Interrupts whatever it does. */
  readonly stop: AbortSignal;
  /** Id of one that an earlier process made; a new one by default. */
  readonly id?: string | undefined;
  /** What was said in it before. */
  readonly past?: Pick<PastConversation, "messages" | "engineSession"> | undefined;
  /** Told of the id of a run before that begins; the run waits for it. */
  readonly onRun: (session: AcpSession, runId: string) => Promise<void>;
}

const PERMISSIONS = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_session", name: "Allow this call while this prompt is worked on", kind: "allow_always" },
  { optionId: "deny", name: "Deny", kind: "reject_once" },
] as const;

/** Places whose files have the paths that the editor knows. */
const HERE: ReadonlySet<string> = new Set(["local", "sandbox"]);

/** Takes the edits of these files out of a list. */
function takeFrom(edits: FileEdit[], paths: readonly string[]): FileEdit[] {
  const taken = edits.filter(({ path }) => paths.includes(path));
  edits.splice(0, edits.length, ...edits.filter((edit) => !taken.includes(edit)));
  return taken;
}

/** A conversation in an editor: each prompt is a run, which begins with what was said before. */
export class AcpSession {
  /** Id of the session. */
  readonly id: string;
  /** What its agent may do with the next prompt. */
  mode: PermissionMode;
  readonly #context: CommandContext;
  readonly #made: AcpSessionOptions;
  #messages: readonly SessionMessage[];
  #engineSession: string | undefined;
  #running: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined;

  /** Makes a session. */
  constructor(context: CommandContext, made: AcpSessionOptions) {
    this.id = made.id ?? randomUUID();
    this.#messages = made.past?.messages ?? [];
    this.#engineSession = made.past?.engineSession;
    this.#context = context;
    this.#made = made;
    this.mode = made.mode;
  }

  /** Works on a prompt. Rejects with what kept it from starting, and with what its run failed with. */
  async prompt(
    blocks: readonly ContentBlock[],
    of: { client: AgentContext; signal: AbortSignal },
  ): Promise<StopReason> {
    if (this.#running !== undefined) throw refused("another one is worked on.");
    const text = textOf(blocks);
    // A model that is told nothing refuses, and would with every prompt to come.
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

  /** Whether a prompt is worked on. */
  get isAtWork(): boolean {
    return this.#running !== undefined;
  }

  /** Interrupts what is worked on. */
  cancel(): void {
    this.#running?.cancel.abort();
  }

  /** Interrupts what is worked on, and waits for its end. */
  async close(): Promise<void> {
    this.cancel();
    await this.#running?.ended;
  }

  async #work(
    text: string,
    { client, signal, cancel }: { client: AgentContext; signal: AbortSignal; cancel: AbortController },
  ): Promise<StopReason> {
    const { options, workspace, mcpServers, stop } = this.#made;
    const messages: SessionMessage[] = [...this.#messages, { role: "user", content: text }];
    const session = this.#engineSession === undefined ? {} : { session_id: this.#engineSession };
    const input = withInputOptions(this.#context, options, { messages, workspace, ...session });
    const { approve, ...others } = options;
    // What was typed holds until the editor says something else.
    const isTyped = approve !== undefined && this.mode === this.#made.mode;
    const permissions = isTyped ? { approve } : { mode: this.mode };
    const ended = AbortSignal.any([signal, cancel.signal, stop]);
    const edits: FileEdit[] = [];
    const updates = createUpdates({ root: workspace, takeEdits: (paths) => takeFrom(edits, paths) });
    const runId = createRunId(this.#context.now());
    await this.#made.onRun(this, runId);
    const report = await performTask(
      this.#context,
      { ...others, ...permissions, prompt: text },
      {
        ...{ runId, input, mcpServers, command: "acp", userPrompter: this.#prompter(client) },
        signal: ended,
        wrapEnvironment: (environment) => this.#withEditor(environment, { client, signal: ended, edits }),
        onEvent: async (envelope: Envelope) => {
          for (const update of updates(envelope)) {
            await client.notify(methods.client.session.update, { sessionId: this.id, update });
          }
        },
      },
    );
    this.#remember(report, messages);
    return stopReasonOf(report);
  }

  /** The editor has the files of its own folder only: not those of a worktree, a container or another machine. */
  #withEditor(
    environment: ExecutionEnvironment,
    { client, signal, edits }: { client: AgentContext; signal: AbortSignal; edits: FileEdit[] },
  ): ExecutionEnvironment {
    const { capabilities, options, workspace } = this.#made;
    const isHere = HERE.has(options.env ?? "local") && environment.workingDirectory === workspace;
    const offered = isHere ? capabilities : undefined;
    const files = createEditorFiles({ client, sessionId: this.id, capabilities: offered, signal });
    return withEditorFiles(environment, { files, onEdit: (edit) => edits.push(edit) });
  }

  #remember({ result }: SessionReport, asked: readonly SessionMessage[]): void {
    // What was cut off is told again as far as it is known: the editor shows it too.
    const said: readonly SessionMessage[] | undefined = result?.transcript;
    this.#messages = said ?? [...asked, { role: "assistant", content: result?.final_message ?? "" }];
    this.#engineSession = result?.session_id ?? this.#engineSession;
  }

  #prompter(client: AgentContext): UserPrompter {
    return {
      askUser: async (prompt, { signal } = {}) => {
        const subject = approvalSubjectOf(prompt);
        if (subject === undefined) throw new EngineError("prompt.unavailable");
        const { tool, args } = subject;
        const title = describeCall(tool, args);
        const root = this.#made.workspace;
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

/** A prompt as text: files that the editor names or hands in are quoted with where they are from. */
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
          throw refused(`${block.type} is not taken.`);
      }
    })
    .join("\n");
}

function stopReasonOf({ status, error }: SessionReport): StopReason {
  if (status === "completed" || status === "failed") return "end_turn";
  if (status === "interrupted" || status === "cancelled") return "cancelled";
  throw error === undefined ? new EngineError("engine.failed", { problem: status }) : toRequestError(error);
}
