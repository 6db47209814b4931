import { EngineError, messageOf } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/**
 * Checks, before the engine starts, that the output schema can be used to validate final messages. Rejects with
 * `config.invalid`.
 */
export async function assertOutput(output: unknown): Promise<void> {
  if (output === undefined) return;
  const { schema, repairs = 0 } = isRecord(output) ? output : {};
  if (!isRecord(schema) || Array.isArray(schema)) throw invalid("output.schema", "it is not a JSON Schema");
  if (typeof repairs !== "number" || !Number.isSafeInteger(repairs) || repairs < 0) {
    throw invalid("output.repairs", "it is not a whole number of 0 or more");
  }
  const { compileSchema } = await import("@switchyard/json-schema");
  try {
    compileSchema(schema);
  } catch (error) {
    throw invalid("output.schema", `it cannot be used: ${messageOf(error)}`);
  }
}

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}
