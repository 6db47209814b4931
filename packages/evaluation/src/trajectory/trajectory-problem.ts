import { ATIF_VERSIONS } from "./atif-schema.ts";
import type { Trajectory, TrajectoryContent, TrajectoryPart, TrajectoryStep } from "./trajectory.ts";

/** Version that made `session_id` optional and introduced ids of trajectories. */
const IDS_SINCE = ATIF_VERSIONS.indexOf("ATIF-v1.7");
/** ISO 8601 date and time, with an optional offset. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
/** Fields that only steps of the agent may have. */
const AGENT_FIELDS = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"] as const;

/**
 * Returns the first violation of a rule that the JSON Schema cannot express, beginning with the name of the field.
 * `undefined` if there is none.
 */
export function trajectoryProblem(trajectory: Trajectory, path = ""): string | undefined {
  const { schema_version, session_id, steps, subagent_trajectories: subagents = [] } = trajectory;
  const hasIds = ATIF_VERSIONS.indexOf(schema_version) >= IDS_SINCE;
  if (!hasIds && session_id === undefined) return `${path}session_id is required before ATIF-v1.7`;
  for (const [index, step] of steps.entries()) {
    const place = `${path}steps.${index}.`;
    if (step.step_id !== index + 1) return `${place}step_id must be ${index + 1}, because steps are numbered from 1`;
    const problem = stepProblem(step, place) ?? resultsProblem(step, { place, hasIds });
    if (problem !== undefined) return problem;
  }
  const seen = new Set<string>();
  for (const [index, subagent] of subagents.entries()) {
    const place = `${path}subagent_trajectories.${index}.`;
    const { trajectory_id: id } = subagent;
    if (id === undefined) return `${place}trajectory_id is required in trajectories of subagents`;
    if (seen.has(id)) return `${place}trajectory_id repeats that of another subagent`;
    seen.add(id);
    const problem = trajectoryProblem(subagent, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function stepProblem(step: TrajectoryStep, place: string): string | undefined {
  const { timestamp, source, message, llm_call_count: calls } = step;
  if (timestamp !== undefined && (!TIME.test(timestamp) || Number.isNaN(Date.parse(timestamp.replace(",", ".")))))
    return `${place}timestamp must be a time in ISO 8601`;
  const foreign = AGENT_FIELDS.find((name) => step[name] !== undefined);
  if (source !== "agent" && foreign !== undefined) return `${place}${foreign} is only allowed in steps of the agent`;
  const needless = (["metrics", "reasoning_content"] as const).find((name) => step[name] !== undefined);
  if (calls === 0 && source === "agent" && needless !== undefined)
    return `${place}${needless} must be absent if llm_call_count is 0`;
  return contentProblem(message, `${place}message`);
}

function resultsProblem(
  { tool_calls = [], observation }: TrajectoryStep,
  { place, hasIds }: { place: string; hasIds: boolean },
): string | undefined {
  const ids = new Set(tool_calls.map(({ tool_call_id }) => tool_call_id));
  for (const [index, result] of (observation?.results ?? []).entries()) {
    const field = `${place}observation.results.${index}.`;
    const { source_call_id: call, content = "", subagent_trajectory_ref: references = [] } = result;
    if (call !== undefined && !ids.has(call)) return `${field}source_call_id names no tool call of this step`;
    const problem = contentProblem(content, `${field}content`);
    if (problem !== undefined) return problem;
    const unresolved = references.findIndex(({ trajectory_id, trajectory_path, session_id }) =>
      [trajectory_id, trajectory_path, hasIds ? undefined : session_id].every((one) => one === undefined),
    );
    if (unresolved >= 0) return `${field}subagent_trajectory_ref.${unresolved} needs trajectory_id or trajectory_path`;
  }
  return undefined;
}

function contentProblem(content: TrajectoryContent, field: string): string | undefined {
  if (typeof content === "string") return undefined;
  for (const [index, part] of content.entries()) {
    const problem = partProblem(part);
    if (problem !== undefined) return `${field}.${index}.${problem}`;
  }
  return undefined;
}

function partProblem({ type, text, source }: TrajectoryPart): string | undefined {
  if (type === "text") {
    if (text === undefined) return "text is required in parts of type text";
    return source === undefined ? undefined : "source is not allowed in parts of type text";
  }
  if (text !== undefined) return `text is not allowed in parts of type ${type}`;
  if (source === undefined) return `source is required in parts of type ${type}`;
  return source.media_type.startsWith(`${type}/`) ? undefined : `source.media_type must begin with ${type}/`;
}
