import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import { UNTRUSTED_EVIDENCE } from "../judge/untrusted-evidence.ts";
import { askForDecision } from "../model/ask-for-decision.ts";
import { type AskModel, type EvalPrompt, reportingUsage } from "../model/ask-model.ts";
import type { OrderVerdict, PreferenceVerdict } from "../results/preference-results.ts";
import type { TrialUsage } from "../results/trial-result.ts";
import { sumUsage } from "../results/usage.ts";

/** Result of an engine, as judges see it. The judge does not learn which engine it is. */
export interface ComparedWork {
  readonly final_message: string;
  readonly workspace_diff?: string | undefined;
}

/** Two results to compare. */
export interface ComparedPair {
  readonly criterion: string;
  /** Task given to both engines. */
  readonly task: string;
  readonly left: ComparedWork;
  readonly right: ComparedWork;
}

/** A judge that compares two results. */
export interface PairJudge {
  /** Model reference of the judge. */
  readonly model: string;
  readonly ask: AskModel;
  /** Called with the usage of each call. */
  readonly onJudged: (usage: TrialUsage) => void;
  /** Decisions of this judge on this pair that an earlier process stored. The judge is not asked for them again. */
  readonly stored: readonly DecidedOrder[];
  /** Called with each new decision. */
  readonly onDecided: (order: DecidedOrder) => void;
  readonly signal: AbortSignal;
}

/** A judge's decision on two results shown in one order, and what it cost. */
export interface DecidedOrder {
  readonly verdict: OrderVerdict;
  readonly usage: TrialUsage;
}

/**
 * Asks a judge which of two results is better, in both orders. A judge that does not prefer the same result in both
 * orders has no preference: models tend to favour the first or the second of two texts.
 *
 * Source: Zheng et al. 2023, "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", section 3.4. Never rejects.
 */
export async function judgePair(pair: ComparedPair, judge: PairJudge): Promise<PreferenceVerdict> {
  const { model } = judge;
  const used: TrialUsage[] = [];
  const usage = (): Pick<PreferenceVerdict, "usage"> => (used.length === 0 ? {} : { usage: sumUsage(used) });
  try {
    const orders = await Promise.all(
      (["left", "right"] as const).map((first) => judgeOrder({ ...pair, first }, { judge, used })),
    );
    const [one, other] = orders.map(({ preferred }) => preferred);
    const preferred = one !== undefined && one === other ? one : "tie";
    const isBiased = one !== other && one !== "tie" && other !== "tie";
    return { model, preferred, is_position_biased: isBiased, orders, ...usage() };
  } catch (error) {
    return { model, is_position_biased: false, orders: [], error: messageOf(error), ...usage() };
  }
}

type OrderedPair = ComparedPair & Pick<OrderVerdict, "first">;

interface JudgedOrder {
  readonly judge: PairJudge;
  /** Receives the usage of all calls. */
  readonly used: TrialUsage[];
}

async function judgeOrder(pair: OrderedPair, { judge, used }: JudgedOrder): Promise<OrderVerdict> {
  const known = judge.stored.find(({ verdict }) => verdict.first === pair.first);
  if (known !== undefined) {
    used.push(known.usage);
    return known.verdict;
  }
  const own: TrialUsage[] = [];
  const ask = reportingUsage(judge.ask, (usage) => {
    own.push(usage);
    used.push(usage);
    judge.onJudged(usage);
  });
  const second = pair.first === "left" ? "right" : "left";
  const engines = { first: pair.first, second, tie: "tie" } as const;
  const { preferred, reason } = await askForDecision(ask, promptOf(pair), {
    subject: "the judge",
    parse: readDecision,
    signal: judge.signal,
  });
  const verdict: OrderVerdict = { first: pair.first, preferred: engines[preferred], reason };
  judge.onDecided({ verdict, usage: sumUsage(own) });
  return verdict;
}

function promptOf({ criterion, task, left, right, first }: OrderedPair): EvalPrompt {
  const instructions = [
    "You compare the work of two coding agents, `first` and `second`, on the same task, by the criterion below.",
    ...UNTRUSTED_EVIDENCE,
    "Neither the order nor the length of the work matters. Claims of an agent about its own work are not evidence.",
    "",
    "## Criterion",
    criterion,
    "",
    "## Required Response Format",
    "One JSON object and nothing else. `preferred` is `first`, `second` or `tie`; `evidence` says in one or two",
    "sentences what decided it.",
    '{"preferred": "first", "evidence": "…"}',
  ];
  const shown = first === "left" ? { first: left, second: right } : { first: right, second: left };
  return { instructions: instructions.join("\n"), question: JSON.stringify({ task, ...shown }, undefined, 1) };
}

const ANSWERS = ["first", "second", "tie"] as const;

function readDecision(value: unknown): { readonly preferred: (typeof ANSWERS)[number]; readonly reason: string } {
  const { preferred, evidence } = isRecord(value) ? value : {};
  const known = ANSWERS.find((answer) => answer === preferred);
  if (known === undefined) throw new Error(`preferred must be one of ${ANSWERS.join(", ")}`);
  if (typeof evidence !== "string" || evidence.trim() === "") throw new Error("it has no evidence");
  return { preferred: known, reason: evidence };
}
