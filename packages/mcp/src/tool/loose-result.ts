import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isRecord } from "./clean-schema.ts";

/**
 * Takes any object for a result. Everything in it is looked at here, one by one: a strict schema would throw away a
 * whole list for one bad tool.
 */
export const LOOSE_RESULT: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  "~standard": {
    version: 1,
    vendor: "switchyard",
    validate: (value) => (isRecord(value) ? { value } : { issues: [{ message: "it is no object" }] }),
  },
};
