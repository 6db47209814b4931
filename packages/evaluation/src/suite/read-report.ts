import type { ReportFormat } from "./eval-suite.ts";
import { type Field, isAbsent, readList, readMap } from "./field.ts";
import { readOneOf } from "./scalar-fields.ts";

/** Reads `report`: the result files to write. `undefined`: all. */
export function readReport(field: Field, known: readonly string[]): readonly ReportFormat[] | undefined {
  const fields = readMap(field, known);
  if (fields === undefined || isAbsent(fields("formats"))) return undefined;
  return readList(fields("formats")).flatMap(
    (format) => readOneOf<ReportFormat>(format, ["json", "junit", "html"]) ?? [],
  );
}
