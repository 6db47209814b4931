// @ts-check
import { seededCase } from "@switchyard/suite/seeded-random";
import { answer, planFaults, reasoning, text, toolCalls } from "@switchyard/testkit";

/** @import { AnswerStep, FaultKind, FaultPlan, ModelApi } from "@switchyard/testkit" */

/** @type {readonly ModelApi[]} */
export const APIS = ["openai-chat", "openai", "anthropic", "gemini"];

/** Every 20th case is killed; every third of the others calls the client directly. */
const KILLED_EVERY = 20;
const CLIENT_EVERY = 3;

/** Fraction of runs without streaming. */
const WHOLE_SHARE = 0.25;

/** Faults of killed runs, whose processes use the system's clock and would wait for a stall. */
/** @type {readonly FaultKind[]} */
const WITHOUT_STALLS = [
  .../** @type {const} */ (["status", "break", "malformed", "error_event", "unfinished"]),
  .../** @type {const} */ (["empty", "calls_absent", "cut_off", "failed"]),
];

const WORDS = [
  "I look at the files.",
  "Grüße aus Köln 🙂 und 北京.",
  "Line one.\n\ndata: line three.",
  'A "quote" \\ here.',
];

/**
 * @typedef {object} HostileCase
 * @property {number} index
 * @property {"run" | "client" | "killed"} kind What meets the server: a run of the agent, the client alone, or a run whose process is killed.
 * @property {ModelApi} api
 * @property {boolean} isStreamed Whether a run asks for streams.
 * @property {readonly AnswerStep[]} script
 * @property {readonly string[]} effects Keys of the effects that the script has, in order.
 * @property {FaultPlan} plan
 * @property {() => number} random
 */

/** Number of unreadable responses, without any readable one, after which a client gives up. */
const MAX_UNREADABLE = 3;

/**
 * Returns the plan for a client without streaming, which cannot read a response without a finish reason.
 * @param {FaultPlan} plan
 * @returns {FaultPlan}
 */
function judgedWhole(plan) {
  const faults = (plan.turns[0] ?? []).map(({ fault }) => fault?.kind);
  const known = faults.findIndex((kind) => kind === undefined || READABLE.includes(kind));
  const unreadable = faults.slice(0, known).filter((kind) => kind === "unfinished" || kind === "malformed");
  if (unreadable.length < MAX_UNREADABLE) return plan;
  return { ...plan, completes: false, reason: "turn 1: nothing that the server sent could be read" };
}

/** Faults of complete responses. @type {readonly FaultKind[]} */
const READABLE = ["empty", "calls_absent", "cut_off", "failed", "filtered"];

/**
 * Generates a case. The same seed and number give the same case.
 * @param {number} seed
 * @param {number} index
 * @returns {HostileCase}
 */
export function generateCase(seed, index) {
  const random = seededCase(seed, index);
  const kind = index % KILLED_EVERY === KILLED_EVERY - 1 ? "killed" : index % CLIENT_EVERY === 1 ? "client" : "run";
  const api = APIS[Math.floor(random() * APIS.length)] ?? "openai";
  const turns = 2 + Math.floor(random() * 3);
  /** @type {string[]} */
  const effects = [];
  const script = Array.from({ length: turns }, (_, turn) => {
    const said = [text(WORDS[Math.floor(random() * WORDS.length)] ?? "")];
    if (random() < 0.5) said.unshift(reasoning("Let me think about it."));
    if (turn === turns - 1) return answer(...said, text(" All done."));
    const keys = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, call) => `turn ${turn} call ${call}`);
    effects.push(...keys);
    return answer(...said, toolCalls(keys.map((key) => ({ name: "effect", arguments: { key, note: WORDS[1] } }))));
  });
  const planSeed = Math.floor(random() * 2 ** 31);
  const kinds = kind === "killed" ? WITHOUT_STALLS : undefined;
  const plan = planFaults({ seed: planSeed, turns, kinds, fatalShare: kind === "killed" ? 0 : 0.12 });
  const whole = judgedWhole(plan);
  // A resumed process counts unreadable responses from zero, so a killed run may complete where others give up.
  const isUncertain = kind === "killed" && whole !== plan;
  const isStreamed = random() >= WHOLE_SHARE || isUncertain;
  return { index, kind, api, isStreamed, script, effects, plan: isStreamed ? plan : whole, random };
}
