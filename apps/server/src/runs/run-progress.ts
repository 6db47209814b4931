import {
  addUsage,
  type Envelope,
  NO_USAGE,
  type OpenQuestion,
  type Part,
  type Publisher,
  type RunActivity,
  type Usage,
} from "@switchyard/contracts";

/** Maximum length of a question in a list, in characters. */
const MAX_QUESTION = 2_000;
/** Maximum length of the arguments of a tool call in a list, in characters. */
const MAX_ARGUMENTS = 20_000;
/** Maximum length of the description of an activity, in characters. */
const MAX_DOING = 160;
/** Names of arguments that best describe a tool call, most informative first. */
const DESCRIPTIVE_KEYS = ["command", "cmd", "file_path", "path", "pattern", "query", "url", "task"];

/**
 * Progress of an active run, from its events: turn, activity, open questions and usage so far. Lists show it, so that
 * clients need no event stream for each run. The events contain no known secret.
 */
export class RunProgress implements Publisher {
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #subagents = new Set<string>();
  readonly #counted = new Set<string>();
  #turn = 0;
  #doing: string | undefined;
  #lastEventAt: string | undefined;
  #usage: Usage = NO_USAGE;

  /** Usage of the current attempt to execute the run, so far. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Current activity. */
  get activity(): RunActivity {
    const [question] = this.#questions.values();
    return {
      turn: this.#turn,
      ...(this.#doing === undefined ? {} : { doing: this.#doing }),
      ...(this.#lastEventAt === undefined ? {} : { last_event_at: this.#lastEventAt }),
      ...(question === undefined ? {} : { question }),
    };
  }

  /** Returns the unanswered question of the run that has this prompt id. */
  questionOf(promptId: string): OpenQuestion | undefined {
    return this.#questions.get(promptId);
  }

  /** Processes an event. Ignores events with single pieces of output, because they are frequent. */
  async publish(envelope: Envelope): Promise<void> {
    if (envelope.seq === undefined) return;
    this.#lastEventAt = envelope.time;
    switch (envelope.type) {
      case "step_start":
        if (!this.#subagents.has(envelope.headers["agent_id"] ?? "")) this.#turn += 1;
        this.#doing = "waits for the model";
        break;
      case "tool_call_start":
        this.#doing = describeCall(envelope.payload);
        break;
      case "tool_call_end":
        this.#doing = "waits for the model";
        break;
      case "subagent_started":
        this.#subagents.add(envelope.payload.agent_id);
        break;
      case "user_prompted":
        this.#questions.set(envelope.payload.prompt_id, toQuestion(envelope.payload, envelope.time));
        break;
      case "user_replied":
        this.#questions.delete(envelope.payload.prompt_id);
        break;
      case "usage_reported":
        this.#count(envelope.payload.response_id, envelope.payload.usage);
        break;
      default:
        break;
    }
  }

  #count(responseId: string | undefined, usage: Usage): void {
    if (responseId !== undefined && this.#counted.has(responseId)) return;
    if (responseId !== undefined) this.#counted.add(responseId);
    this.#usage = addUsage(this.#usage, usage);
  }
}

type Payload<T extends Envelope["type"]> = Extract<Envelope, { type: T }>["payload"];

function describeCall({ name, arguments: args }: Payload<"tool_call_start">): string {
  const values = toRecord(args);
  const named = DESCRIPTIVE_KEYS.map((key) => values[key]).find((value) => typeof value === "string");
  return (named === undefined ? name : `${name}: ${named}`).slice(0, MAX_DOING);
}

function toRecord(args: unknown): Record<string, unknown> {
  const value = typeof args === "string" ? parsed(args) : args;
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toQuestion({ prompt_id, parts, schema, metadata }: Payload<"user_prompted">, askedAt: string): OpenQuestion {
  const listed = toRecord(schema)["enum"];
  const choices = Array.isArray(listed) ? listed.filter((choice): choice is string => typeof choice === "string") : [];
  const asked = { prompt_id, choices, asked_at: askedAt };
  if (metadata?.["kind"] !== "approval") return { ...asked, text: textIn(parts).slice(0, MAX_QUESTION) };
  const { tool = "tool", arguments: args = "", command, folder, reason } = metadata;
  const approval = {
    ...{ tool, command: command?.slice(0, MAX_QUESTION), folder, reason, agent_id: metadata["agent_id"] },
    arguments: args === "" || args.length > MAX_ARGUMENTS ? undefined : args,
  };
  return { ...asked, text: describeCall({ type: "tool_call", id: "", name: tool, arguments: args }), approval };
}

function textIn(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
