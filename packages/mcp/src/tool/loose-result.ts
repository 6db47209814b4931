import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isRecord } from "./clean-schema.ts";

/**
 * Schema that accepts any object. Items are validated individually, because a strict schema would reject a whole list
 * for one bad tool.
 */
export const LOOSE_RESULT: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  "~standard": {
    version: 1,
    vendor: "switchyard",
    validate: (value) => (isRecord(value) ? { value } : { issues: [{ message: "it is not an object" }] }),
  },
};
