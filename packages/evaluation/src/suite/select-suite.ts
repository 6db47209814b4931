import { EngineError } from "@switchyard/contracts";
import type { EngineChoice, EvalSuite } from "./eval-suite.ts";

/** What is run of an evaluation, in place of what its file says. */
export interface SuiteSelection {
  /** Cases: their ids, parts of these, or patterns with `*`; all by default. */
  readonly cases?: readonly string[] | undefined;
  /** Engines in place of those of the file, which are named by their ids. */
  readonly engines?: readonly EngineChoice["spec"][] | undefined;
  /** Engines beside those. */
  readonly furtherEngines?: readonly EngineChoice["spec"][] | undefined;
  /** How often every combination is run. */
  readonly iterations?: number | undefined;
  /** Sessions that run at the same time. */
  readonly concurrency?: number | undefined;
}

/** An evaluation with a selection on top. Rejects with `config.invalid` where no case is left. */
export async function selectSuite(suite: EvalSuite, selection: SuiteSelection): Promise<EvalSuite> {
  const { cases = [], engines, furtherEngines = [], iterations, concurrency } = selection;
  const further = furtherEngines.map((spec) => toChoice(spec, suite));
  return {
    ...suite,
    cases: cases.length === 0 ? suite.cases : await selectCases(suite, cases),
    engines: [...(engines === undefined ? suite.engines : engines.map((spec) => toChoice(spec, suite))), ...further],
    iterations: iterations ?? suite.iterations,
    concurrency: concurrency ?? suite.concurrency,
  };
}

async function selectCases({ cases }: EvalSuite, patterns: readonly string[]): Promise<EvalSuite["cases"]> {
  const { compileGlob } = await import("@switchyard/environment");
  // Ids are no paths: a slash in one is a character like any other.
  const flat = (text: string): string => text.replaceAll("/", "\u2215");
  const matchers = patterns.map((pattern) => {
    if (!pattern.includes("*")) return (id: string) => id.includes(pattern);
    const matches = compileGlob(flat(pattern));
    return (id: string) => matches(flat(id));
  });
  const selected = cases.filter(({ id }) => matchers.some((matches) => matches(id)));
  if (selected.length > 0) return selected;
  const known = cases.map(({ id }) => id).join(", ");
  throw new EngineError("config.invalid", { field: "filter", problem: `no case matches it; there are ${known}.` });
}

function toChoice(spec: EngineChoice["spec"], { engines }: EvalSuite): EngineChoice {
  const named = engines.find(({ id, spec: own }) => (id ?? nameOf(own)) === spec);
  return named ?? { spec, field: typeof spec === "string" ? `engine ${spec}` : "engine" };
}

function nameOf(spec: EngineChoice["spec"]): unknown {
  return typeof spec === "string" ? spec : spec["name"];
}
