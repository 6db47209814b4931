import type { Usage } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import type { CompactionPlan } from "./compaction-strategy.ts";
import { cutMiddle } from "./cut-middle.ts";
import { isSummary, type SummaryTurn, visibleTurns } from "./visible-turns.ts";

/** Data from which a summary turn is created. */
export interface SummaryParts {
  readonly plan: CompactionPlan;
  /** Usage of the model calls that wrote the summary. `undefined` if there were none. */
  readonly usage: Usage | undefined;
  readonly timestamp: string;
  /** Maximum length of each quoted user input, in characters. */
  readonly maxInputCharacters: number;
}

const HEADING =
  "[The conversation so far was summarised to save space. What follows stands in for all of it but the messages after this one.]";

/**
 * Escapes the tags that delimit the summary and the quoted inputs. Otherwise the summary could end its section and
 * imitate user input.
 */
function withoutTags(text: string): string {
  return text.replace(/<(\/?(?:summary|first_input_of_the_user|last_input_of_the_user)\b)/gi, "&lt;$1");
}

/** Quotes the user's first and latest input, unless the model still sees the original turns. */
function hiddenInputs(turns: readonly Turn[], visible: readonly Turn[], maxCharacters: number): string[] {
  const [first, last] = [turns.find(isInput), turns.findLast(isInput)];
  const seen = new Set(visible);
  const inputs: string[] = [];
  const quote = (name: string, turn: Turn | undefined): void => {
    if (turn?.type !== "user" || seen.has(turn)) return;
    inputs.push(`<${name}>\n${cutMiddle(turn.content, maxCharacters)}\n</${name}>`);
  };
  quote("first_input_of_the_user", first);
  if (last !== first) quote("last_input_of_the_user", last);
  return inputs;
}

function isInput({ type }: Turn): boolean {
  return type === "user";
}

/**
 * Creates the turn that a compaction appends. It contains the summary and quotes the user's requests, even if the
 * strategy's summary omits them.
 */
export function createSummaryTurn(turns: readonly Turn[], parts: SummaryParts): SummaryTurn {
  const { plan, usage, timestamp } = parts;
  const visibleCount = visibleTurns(turns).filter((turn) => !isSummary(turn)).length;
  const keptTurns = Math.min(plan.keptTurns, visibleCount);
  const compaction = { keptTurns, ...(usage === undefined ? {} : { usage }) };
  const turn: SummaryTurn = { type: "steering", content: "", timestamp, compaction };
  const inputs = hiddenInputs(turns, visibleTurns([...turns, turn]), parts.maxInputCharacters);
  const summary = `<summary>\n${withoutTags(plan.summary.trim())}\n</summary>`;
  return { ...turn, content: [HEADING, ...inputs, summary].join("\n\n") };
}
