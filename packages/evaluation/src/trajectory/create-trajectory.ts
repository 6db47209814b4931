import { type Envelope, HEADER, type SessionInput, type StoredRun } from "@switchyard/contracts";
import { createMasker, findCredentials, REDACTED, type Secret } from "@switchyard/secrets";
import { isRecord } from "../files/is-record.ts";
import { AgentLane } from "./agent-lane.ts";
import { type OpenStep, toCall } from "./agent-step.ts";
import type { Trajectory, TrajectoryAgent, TrajectoryTotals } from "./trajectory.ts";

/** Version of the trajectory format ATIF that is written. */
const VERSION = "ATIF-v1.7";
/**
 * Name of an event header. In the first event of an imported trajectory, it contains the trajectory without its steps
 * as JSON.
 */
export const ROOT_HEADER = "atif_root";
const MICROS = 1_000_000;

/** Options of `createTrajectory`. */
export interface TrajectoryOptions {
  /** Events of the run. */
  readonly events: AsyncIterable<Envelope> | Iterable<Envelope>;
  /** Secret values to mask, in addition to those that were masked when the run was stored. */
  readonly secrets?: Iterable<string | Secret> | undefined;
}

/**
 * Creates the ATIF trajectory of a stored run, whatever its engine. The steps come from the run's events. If the
 * transcript of the run's result has more responses and tool calls than the events, the steps come from the transcript.
 * Credentials that are recognised by their format are masked. An imported run yields the trajectory that was imported.
 */
export async function createTrajectory(run: StoredRun, options: TrajectoryOptions): Promise<Trajectory> {
  const { main, children, root } = await readLanes(options.events);
  const masker = createMasker(options.secrets ?? []);
  const steps = stepsOf(root === undefined ? run : undefined, main);
  if (root !== undefined) return maskTexts({ ...root, steps }, masker.mask);
  const subagents = [...children].map(([id, lane]): Trajectory => {
    const agent = { name: id, version: versionOf(run), ...modelOf(lane.model) };
    return { schema_version: VERSION, trajectory_id: id, agent, steps: stepsOf(undefined, lane) };
  });
  const whole = subagents.filter((one) => one.steps.length > 0);
  const trajectory: Trajectory = {
    schema_version: VERSION,
    session_id: run.runId,
    agent: agentOf(run, main.model),
    steps,
    final_metrics: totalsOf(run, steps.length),
    extra: { switchyard: factsOf(run) },
    ...(whole.length === 0 ? {} : { subagent_trajectories: whole }),
  };
  return maskTexts(trajectory, masker.mask);
}

interface Lanes {
  readonly main: AgentLane;
  readonly children: ReadonlyMap<string, AgentLane>;
  /** An imported trajectory without its steps. `undefined` if the run was not imported. */
  readonly root: Omit<Trajectory, "steps"> | undefined;
}

async function readLanes(events: TrajectoryOptions["events"]): Promise<Lanes> {
  const main = new AgentLane();
  const children = new Map<string, AgentLane>();
  let root: Lanes["root"];
  for await (const event of events) {
    const header = event.headers[ROOT_HEADER];
    if (header !== undefined) root = readRoot(header);
    const lane = children.get(event.headers[HEADER.agentId] ?? "") ?? main;
    lane.add(event);
    if (event.type !== "subagent_started") continue;
    const { agent_id: id } = event.payload;
    if (children.has(id)) continue;
    lane.startSubagent(id);
    children.set(id, new AgentLane());
  }
  return { main, children, root };
}

function readRoot(header: string): Lanes["root"] {
  const value: unknown = JSON.parse(header);
  return isRoot(value) ? value : undefined;
}

function isRoot(value: unknown): value is Omit<Trajectory, "steps"> {
  return isRecord(value) && typeof value["schema_version"] === "string" && isRecord(value["agent"]);
}

/** Returns the steps of an agent. A trajectory has at least one step. */
function stepsOf(run: StoredRun | undefined, lane: AgentLane): Trajectory["steps"] {
  const input = run?.request?.input;
  const own = lane.finish(inputSteps(input, lane.hasUser));
  if (run === undefined) return own;
  const result = run.report?.result;
  const transcript = (result?.transcript ?? []).reduce<OpenStep[]>(addMessage, []);
  // An engine that emits only its final message as an event may still return all steps in the transcript of its result.
  if (workOf(transcript) > workOf(own)) {
    const hasTask = transcript.some(({ source }) => source === "user");
    return new AgentLane().finish([...(hasTask ? [] : inputSteps(input, false)), ...transcript]);
  }
  const final = result?.final_message ?? "";
  const answer: OpenStep[] = final === "" || lane.hasWork ? [] : [{ source: "agent", message: final }];
  const steps = [...own, ...answer];
  return new AgentLane().finish(steps.length === 0 ? [{ source: "system", message: run.record?.title ?? "" }] : steps);
}

/** Counts the responses and tool calls of the agent. */
function workOf(steps: readonly OpenStep[]): number {
  return steps.reduce((sum, { source, tool_calls = [] }) => sum + (source === "agent" ? 1 : 0) + tool_calls.length, 0);
}

/** Returns the conversation before the task, and the task itself if the engine did not report it. */
function inputSteps(input: SessionInput | undefined, hasTask: boolean): OpenStep[] {
  const messages = input?.messages ?? [];
  const task = messages.findLastIndex(({ role }) => role === "user");
  return messages.flatMap(({ role, content }, index): OpenStep[] => {
    if (index >= task) return index > task || hasTask ? [] : [{ source: "user", message: content }];
    const source = role === "assistant" ? "agent" : role === "user" ? "user" : "system";
    const extra = role === "tool" ? { extra: { role: "tool" } } : {};
    return [{ source, message: content, is_copied_context: true, ...extra }];
  });
}

type Message = NonNullable<NonNullable<NonNullable<StoredRun["report"]>["result"]>["transcript"]>[number];

/** Adds a message of a transcript to the steps. A tool result belongs to the step with its call. */
function addMessage(steps: OpenStep[], message: Message): OpenStep[] {
  const { role, content, timestamp, tool_calls: calls = [], tool_result: result } = message;
  const owner = steps.findLast(({ tool_calls = [] }) =>
    tool_calls.some(({ tool_call_id }) => tool_call_id === result?.call_id),
  );
  if (result !== undefined && owner !== undefined) {
    const { call_id: source_call_id, status, duration_ms } = result;
    const extra = {
      ...(status === "error" ? { is_error: true } : {}),
      ...(duration_ms === undefined ? {} : { duration_ms }),
    };
    const more = Object.keys(extra).length === 0 ? {} : { extra };
    const results = [...(owner.observation?.results ?? []), { source_call_id, content: result.content, ...more }];
    owner.observation = { results };
    return steps;
  }
  const source = role === "assistant" ? "agent" : role === "user" ? "user" : "system";
  const toolCalls = calls.map(({ id, name, arguments: given }) => toCall({ id, name, given }));
  const isTime = timestamp !== undefined && !Number.isNaN(Date.parse(timestamp));
  steps.push({
    ...(isTime ? { timestamp: new Date(timestamp).toISOString() } : {}),
    ...{ source, message: result?.content ?? content },
    ...(source === "agent" && toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  });
  return steps;
}

function agentOf(run: StoredRun, model: string | undefined): TrajectoryAgent {
  const name = run.record?.engine ?? run.report?.engine ?? "unknown";
  return { name, version: versionOf(run), ...modelOf(run.report?.model ?? run.record?.model ?? model) };
}

function modelOf(model: string | undefined): Pick<TrajectoryAgent, "model_name"> {
  return model === undefined ? {} : { model_name: model };
}

/** Returns the release that executed the run. Engines do not report versions of their own. */
function versionOf({ record }: StoredRun): string {
  return record?.created_by ?? "unknown";
}

function totalsOf({ report, record }: StoredRun, total_steps: number): TrajectoryTotals {
  const usage = report?.usage;
  const view = record?.usage;
  const cached = usage?.cacheReadTokens ?? view?.cache_read_tokens;
  const cost = usage?.costMicros ?? view?.cost_micros;
  const result = report?.result;
  const hasUsage = (usage?.totalTokens ?? view?.total_tokens ?? 0) > 0;
  const prompt = hasUsage ? (usage?.inputTokens ?? view?.input_tokens) : result?.input_tokens;
  const completion = hasUsage ? (usage?.outputTokens ?? view?.output_tokens) : result?.output_tokens;
  return {
    ...(prompt === undefined ? {} : { total_prompt_tokens: prompt }),
    ...(completion === undefined ? {} : { total_completion_tokens: completion }),
    ...(cached === undefined ? {} : { total_cached_tokens: cached }),
    ...(cost === undefined ? {} : { total_cost_usd: cost / MICROS }),
    total_steps,
  };
}

function factsOf({ runId, record, report }: StoredRun): Record<string, unknown> {
  const exitCode = report?.result?.exit_code;
  return {
    run_id: runId,
    status: record?.status ?? report?.status ?? "unknown",
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(report?.error === undefined ? {} : { error: report.error.code }),
    ...(record?.environment === undefined ? {} : { environment: record.environment }),
    ...(report?.timing === undefined ? {} : { duration_ms: report.timing.durationMs }),
  };
}

/** Masks the secrets and the recognised credentials in all texts of a document. */
export function maskTexts<T>(document: T, mask: (text: string) => string): T;
export function maskTexts(document: unknown, mask: (text: string) => string): unknown {
  if (typeof document === "string") return withoutCredentials(mask(document));
  if (Array.isArray(document)) return document.map((item: unknown) => maskTexts(item, mask));
  if (!isRecord(document)) return document;
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, maskTexts(value, mask)]));
}

function withoutCredentials(text: string): string {
  let masked = "";
  let end = 0;
  for (const { start, end: next } of findCredentials(text)) {
    masked += text.slice(end, start) + REDACTED;
    end = next;
  }
  return masked + text.slice(end);
}
