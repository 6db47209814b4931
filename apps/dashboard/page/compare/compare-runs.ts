import type { RunDetail } from "@switchyard/contracts";
import { type FileChange, filesOfDiff } from "../changes/parse-diff.ts";
import { formatCost, formatCount, formatSpan } from "../text/format.ts";

/** Fact about two runs. */
export interface ComparedFact {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  /** How the right run differs, such as `+12 %` or `differs`. `undefined` if both are the same. */
  readonly difference: string | undefined;
}

/** Number that both runs have. `undefined`: unknown. */
type Measure = readonly [
  name: string,
  of: (run: RunDetail, nowMs: number) => number | undefined,
  format: (value: number) => string,
];

function durationMs({ started_at: startedAt, finished_at: finishedAt }: RunDetail, nowMs: number): number | undefined {
  if (startedAt === undefined) return undefined;
  return Math.max(0, (finishedAt === undefined ? nowMs : Date.parse(finishedAt)) - Date.parse(startedAt));
}

const MEASURES: readonly Measure[] = [
  ["Duration", durationMs, formatSpan],
  ["Turns", ({ result }) => result?.turns, formatCount],
  ["Tokens in", ({ usage }) => usage?.input_tokens, formatCount],
  ["Tokens from cache", ({ usage }) => usage?.cache_read_tokens, formatCount],
  ["Tokens out", ({ usage }) => usage?.output_tokens, formatCount],
  ["Cost", ({ usage }) => usage?.cost_micros, formatCost],
  ["Exit code", ({ result }) => result?.exit_code, String],
  ["Files changed", ({ workspace_diff: diff }) => filesOfDiff(diff ?? "").length, formatCount],
  ["Artifacts", ({ artifacts }) => artifacts?.length ?? 0, formatCount],
];

/** Returns how the right value differs from the left one. `undefined` if they are equal. */
function differenceOf(left: number | undefined, right: number | undefined): string | undefined {
  if (left === right) return undefined;
  if (left === undefined || right === undefined || left === 0) return "differs";
  const share = Math.round(((right - left) / left) * 100);
  if (share === 0) return "differs by less than 1 %";
  return `${share > 0 ? "+" : "−"}${formatCount(Math.abs(share))} %`;
}

/** Returns the facts of two runs, with the differences. */
export function compareRuns(left: RunDetail, right: RunDetail, nowMs: number): readonly ComparedFact[] {
  const texts = [
    ["Engine", left.engine, right.engine],
    ["Model", left.model ?? "", right.model ?? ""],
  ] as const;
  const compared = texts.map(([name, one, other]) => ({
    ...{ name, left: one, right: other },
    difference: one === other ? undefined : "differs",
  }));
  const measured = MEASURES.flatMap(([name, of, format]): ComparedFact[] => {
    const [one, other] = [of(left, nowMs), of(right, nowMs)];
    if (one === undefined && other === undefined) return [];
    const text = (value: number | undefined): string => (value === undefined ? "unknown" : format(value));
    const isNominal = name === "Exit code";
    const difference = isNominal && one !== other ? "differs" : differenceOf(one, other);
    return [{ name, left: text(one), right: text(other), difference }];
  });
  return [...compared, ...measured];
}

/** How the changes of one file compare. */
export type FileVerdict = "same" | "different" | "left" | "right";

/** Returns the files that either run changed, in alphabetical order, and whether both made the same change. */
export function compareFiles(
  left: readonly FileChange[],
  right: readonly FileChange[],
): readonly { readonly path: string; readonly verdict: FileVerdict }[] {
  const [ofLeft, ofRight] = [left, right].map((files) => new Map(files.map(({ path, text }) => [path, bodyOf(text)])));
  const paths = [...new Set([...left, ...right].map(({ path }) => path))].sort();
  return paths.map((path) => {
    const [one, other] = [ofLeft?.get(path), ofRight?.get(path)];
    if (one === undefined) return { path, verdict: "right" };
    if (other === undefined) return { path, verdict: "left" };
    return { path, verdict: one === other ? "same" : "different" };
  });
}

/** Returns the part of a file's diff that describes the change, without object ids. */
function bodyOf(text: string): string {
  return text.replace(/^index .*\n/m, "").trimEnd();
}
