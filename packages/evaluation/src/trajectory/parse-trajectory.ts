import { EngineError } from "@switchyard/contracts";
import { compileSchema, type SchemaCheck } from "@switchyard/json-schema";
import { parseJson } from "@switchyard/runner";
import { ATIF_SCHEMA } from "./atif-schema.ts";
import type { Trajectory } from "./trajectory.ts";
import { trajectoryProblem } from "./trajectory-problem.ts";
import { unknownFields } from "./unknown-fields.ts";
import { withoutNulls } from "./without-nulls.ts";

let compiled: SchemaCheck | undefined;

/**
 * Returns what is wrong with a trajectory, beginning with the names of the fields. `undefined` if it is valid. Optional
 * fields may be `null`.
 */
export function checkTrajectory(value: unknown): string | undefined {
  const present = withoutNulls(value);
  return schemaProblem(present) ?? (isTrajectory(present) ? trajectoryProblem(present) : undefined);
}

/**
 * Parses a trajectory in ATIF, versions 1.0 to 1.8. Optional fields that are `null` are left out. `path` names the
 * document in messages. Rejects with `input.malformed` or `input.invalid`, which names the wrong fields.
 */
export async function parseTrajectory(text: string, path: string): Promise<Trajectory> {
  const value = withoutNulls(await parseJson(text, path));
  const problem = checkTrajectory(value);
  if (problem === undefined && isTrajectory(value)) return value;
  throw new EngineError("input.invalid", { path, expected: "ATIF trajectory", problem: problem ?? "it is invalid" });
}

function schemaProblem(value: unknown): string | undefined {
  const [unknown] = unknownFields(value);
  if (unknown !== undefined) return `${unknown} is not a field of ATIF`;
  compiled ??= compileSchema(ATIF_SCHEMA, { subject: "the trajectory" });
  return compiled(value);
}

/** True if the schema accepts the value. */
function isTrajectory(value: unknown): value is Trajectory {
  return schemaProblem(value) === undefined;
}
