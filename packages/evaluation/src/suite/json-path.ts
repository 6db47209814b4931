import { isRecord } from "../files/is-record.ts";
import { jsonOf } from "../model/json-of.ts";

const STEP = /\.(?<name>[\w-]+)|\[(?<index>\d+)\]|\['(?<quoted>[^']*)'\]|\["(?<double>[^"]*)"\]/uy;

/**
 * Compiles a JSONPath with names and indexes, such as `$.items[0].id`. The returned function extracts the value from a
 * response that is JSON. `undefined` if the path is invalid.
 */
export function compileJsonPath(path: string): ((response: string) => string | undefined) | undefined {
  const text = path.startsWith("$") ? path.slice(1) : `.${path}`;
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const { groups } = STEP.exec(text) ?? {};
    if (groups === undefined) return undefined;
    steps.push(groups["name"] ?? groups["index"] ?? groups["quoted"] ?? groups["double"] ?? "");
  }
  return (response) => {
    let value: unknown = jsonOf(response)?.value;
    for (const step of steps) {
      if (Array.isArray(value)) value = value[Number(step)];
      else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    if (value === undefined || value === null) return undefined;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
}
