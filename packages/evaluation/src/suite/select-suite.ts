import { EngineError } from "@switchyard/contracts";
import type { EngineChoice, EvalCase, EvalSuite } from "./eval-suite.ts";

/** Overrides of a suite, for example from the command line. */
export interface SuiteSelection {
  /** Cases to run: ids, substrings of ids, or patterns with `*`. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /** Tags of the cases to run. A case needs at least one of them. Default: all cases. */
  readonly tags?: readonly string[] | undefined;
  /** Engines that replace those of the suite. An entry may also be the id of an engine in the suite. */
  readonly engines?: readonly EngineChoice["spec"][] | undefined;
  /** Additional engines. */
  readonly furtherEngines?: readonly EngineChoice["spec"][] | undefined;
  /** Number of trials per combination of case, variant and engine. */
  readonly iterations?: number | undefined;
  /** Maximum number of concurrent sessions. */
  readonly concurrency?: number | undefined;
}

/** Applies a selection to a suite. Rejects with `config.invalid` if no case matches. */
export async function selectSuite(suite: EvalSuite, selection: SuiteSelection): Promise<EvalSuite> {
  const { cases = [], tags = [], engines, furtherEngines = [], iterations, concurrency } = selection;
  const further = furtherEngines.map((spec) => toChoice(spec, suite));
  const selected = selectTags(cases.length === 0 ? suite.cases : await selectCases(suite, cases), tags);
  return {
    ...suite,
    cases: engines === undefined ? selected : selected.map(withoutFileEngine),
    engines: [...(engines === undefined ? suite.engines : engines.map((spec) => toChoice(spec, suite))), ...further],
    iterations: iterations ?? suite.iterations,
    concurrency: concurrency ?? suite.concurrency,
  };
}

/**
 * For panels with `mayUseEngine`, removes the suite's judging engine, so that the engine of the trial replaces it.
 * Reason: the suite's engine is possibly not installed if the caller selected other engines.
 */
function withoutFileEngine({ assertions, ...one }: EvalCase): EvalCase {
  const changed = assertions.map((assertion) =>
    assertion.kind === "rubric" && assertion.panel.mayUseEngine === true
      ? { ...assertion, panel: { ...assertion.panel, engine: undefined } }
      : assertion,
  );
  return { ...one, assertions: changed };
}

async function selectCases({ cases }: EvalSuite, patterns: readonly string[]): Promise<EvalSuite["cases"]> {
  const { compileGlob } = await import("@switchyard/environment");
  // In patterns for case ids, `*` must also match a slash, because the ids are not paths.
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

function selectTags(cases: EvalSuite["cases"], tags: readonly string[]): EvalSuite["cases"] {
  if (tags.length === 0) return cases;
  const selected = cases.filter((one) => one.tags?.some((tag) => tags.includes(tag)) === true);
  if (selected.length > 0) return selected;
  const known = [...new Set(cases.flatMap((one) => one.tags ?? []))].join(", ");
  const there = known === "" ? "no case has a tag" : `the tags of these cases are ${known}`;
  throw new EngineError("config.invalid", { field: "tag", problem: `no case has it; ${there}.` });
}

function toChoice(spec: EngineChoice["spec"], { engines }: EvalSuite): EngineChoice {
  const named = engines.find(({ id, spec: engineSpec }) => (id ?? nameOf(engineSpec)) === spec);
  return named ?? { spec, field: typeof spec === "string" ? `engine ${spec}` : "engine" };
}

function nameOf(spec: EngineChoice["spec"]): unknown {
  return typeof spec === "string" ? spec : spec["name"];
}
