import type { Envelope, SessionInput, SessionReport } from "@switchyard/contracts";

/** One step of a run's conversation. Times are in milliseconds since 1970. */
export type Step =
  | { readonly kind: "text"; readonly role: string; readonly text: string; readonly atMs?: number | undefined }
  | ToolStep;

/** A tool call with its output. */
export interface ToolStep {
  readonly kind: "tool";
  /** Name of the tool. */
  readonly name: string;
  /** Arguments as text. */
  readonly input: string;
  /** Output; `undefined` if the call did not end. */
  output?: string | undefined;
  /** True if the tool failed. */
  isError?: boolean | undefined;
  /** Start of the call. */
  readonly atMs?: number | undefined;
  /** End of the call. */
  endMs?: number | undefined;
}

/**
 * Reads the conversation of a run from its events. If the events contain neither responses nor tool calls, reads the
 * transcript of the result instead. Without a transcript, the conversation consists of the input and the final message.
 */
export async function readSteps(
  events: AsyncIterable<Envelope>,
  { input, report }: { readonly input?: SessionInput | undefined; readonly report?: SessionReport | undefined },
): Promise<Step[]> {
  const steps: Step[] = [];
  const calls = new Map<string, ToolStep>();
  for await (const event of events) addEvent(event, { steps, calls });
  const hasWork = steps.some((step) => step.kind === "tool" || step.role === "assistant");
  const inputSteps = (input?.messages ?? []).map(({ role, content }): Step => ({ kind: "text", role, text: content }));
  if (hasWork)
    return steps.some((step) => step.kind === "text" && step.role === "user") ? steps : [...inputSteps, ...steps];
  const transcript = report?.result?.transcript ?? [];
  if (transcript.length > 0) return transcript.flatMap(stepsOfMessage);
  const final = report?.result?.final_message ?? "";
  return final === "" ? inputSteps : [...inputSteps, { kind: "text", role: "assistant", text: final }];
}

interface Reading {
  readonly steps: Step[];
  readonly calls: Map<string, ToolStep>;
}

function addEvent(event: Envelope, { steps, calls }: Reading): void {
  const atMs = Date.parse(event.time);
  switch (event.type) {
    case "user_input":
    case "steering_injected":
      steps.push({ kind: "text", role: "user", text: event.payload.content, atMs });
      break;
    case "assistant_text_end":
      if (event.payload.content !== "")
        steps.push({ kind: "text", role: "assistant", text: event.payload.content, atMs });
      break;
    case "tool_call_start": {
      const { id, name, arguments: args } = event.payload;
      const step: ToolStep = { kind: "tool", name, input: textOf(args), atMs };
      calls.set(id, step);
      steps.push(step);
      break;
    }
    case "tool_call_end": {
      const step = calls.get(event.payload.tool_call_id);
      if (step === undefined) break;
      step.output = event.payload.content;
      step.isError = event.payload.is_error === true || event.payload.cancelled === true;
      step.endMs = atMs;
      break;
    }
    default:
  }
}

function stepsOfMessage({
  role,
  content,
  tool_calls = [],
  tool_result,
}: NonNullable<NonNullable<SessionReport["result"]>["transcript"]>[number]): Step[] {
  const text = tool_result?.content ?? content;
  const textSteps: Step[] = text === "" ? [] : [{ kind: "text", role, text }];
  return [
    ...textSteps,
    ...tool_calls.map((call): Step => ({ kind: "tool", name: call.name, input: textOf(call.arguments) })),
  ];
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
