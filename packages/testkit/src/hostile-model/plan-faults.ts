import type {
  FaultKind,
  FaultPlan,
  FaultPosition,
  HostileFault,
  Oddity,
  PlannedResponse,
  SurvivalPolicy,
} from "./hostile-fault.ts";
import { fullPolicy, judgeTurns } from "./judge-turns.ts";
import { between, mixSeed, pick, type Random, seededRandom } from "./seeded-random.ts";

/** Options of a plan. */
export interface FaultPlanOptions {
  /** Seed of the faults. */
  readonly seed: number;
  /** Number of turns in the script. */
  readonly turns: number;
  /** Retry limits of the client. They determine whether a session with these faults completes (`completes`). */
  readonly policy?: SurvivalPolicy | undefined;
  /** Kinds of faults to plan. Default: all. */
  readonly kinds?: readonly FaultKind[] | undefined;
  /**
   * Fraction of fault plans with so many faults that no client with the given retry limits can complete the session.
   * Default: 0.15.
   */
  readonly fatalShare?: number | undefined;
}

type Maker = (random: Random) => HostileFault;

function positionOf(random: Random): FaultPosition {
  const at = pick(random, ["request", "headers", "any", "start", "reasoning", "text", "arguments", "end"]);
  return { at, share: random() };
}

function statusOf(random: Random): HostileFault {
  const status = pick(random, [408, 429, 429, 500, 502, 503, 504, 529]);
  const form = pick(random, ["none", "none", "seconds", "date"]);
  const isHtml = status >= 500 && random() < 0.3;
  if (form === "none" || status === 408) return { kind: "status", status, isHtml };
  return { kind: "status", status, isHtml, retryAfter: { seconds: between(random, 0, 90), form } };
}

/** Faults after which a client retries. */
const PASSING: readonly [FaultKind, Maker][] = [
  ["status", statusOf],
  ["break", (random) => ({ kind: "break", isReset: random() < 0.3, ...positionOf(random) })],
  ["stall", (random) => ({ kind: "stall", ...positionOf(random) })],
  ["malformed", (random) => ({ kind: "malformed", share: random() })],
  ["error_event", (random) => ({ kind: "error_event", share: random() })],
  ["unfinished", () => ({ kind: "unfinished" })],
];

/** Responses that are complete but useless, such as empty ones. A client asks the model to try again or to continue. */
const USELESS: readonly [FaultKind, Maker][] = [
  ["empty", () => ({ kind: "empty" })],
  ["calls_absent", () => ({ kind: "calls_absent" })],
  ["cut_off", () => ({ kind: "cut_off" })],
  ["failed", () => ({ kind: "failed" })],
];

const ODDITIES: readonly Oddity[] = [
  ...(["splits", "pauses", "duplicates", "comments", "crlf", "repeated_ids", "no_index", "wrong_end"] as const),
];

/**
 * Maximum number of useless responses in a turn without fatal faults. By default, a client tolerates this number of
 * consecutive ones (`SurvivalPolicy.responseRetries`).
 */
const MAX_USELESS = 2;

/** Creates the faults of one plan. */
class Planner {
  readonly #random: Random;
  readonly #options: FaultPlanOptions;

  constructor(options: FaultPlanOptions) {
    this.#options = options;
    this.#random = seededRandom(mixSeed(options.seed, options.turns));
  }

  turns(): readonly (readonly PlannedResponse[])[] {
    const { turns: count, fatalShare = 0.15 } = this.#options;
    const isFatal = this.#random() < fatalShare;
    const fatalTurn = isFatal ? between(this.#random, 0, count - 1) : -1;
    return Array.from({ length: count }, (_, index) => {
      const faults = index === fatalTurn ? [...this.#faults(), ...this.#fatal()] : this.#faults();
      return [...faults.map((fault) => this.#response(fault)), this.#response(undefined)];
    });
  }

  /** Returns the faults of a turn, usually few. */
  #faults(): readonly HostileFault[] {
    const faults: HostileFault[] = [];
    let useless = 0;
    for (let remaining = between(this.#random, 0, 4); remaining > 0; remaining -= 1) {
      const isUseless = this.#random() < 0.25 && useless < MAX_USELESS;
      const fault = this.#make(isUseless ? USELESS : PASSING);
      if (fault === undefined) continue;
      // At most one malformed response is planned.
      // Until a client has received a valid response from a server, it retries malformed responses only a few times.
      if (fault.kind === "malformed" && faults.some(({ kind }) => kind === "malformed")) continue;
      if (isUseless) useless += 1;
      faults.push(fault);
    }
    return faults;
  }

  #make(makers: readonly [FaultKind, Maker][]): HostileFault | undefined {
    const { kinds } = this.#options;
    const [first, ...rest] = makers.filter(([kind]) => kinds === undefined || kinds.includes(kind));
    if (first === undefined) return undefined;
    const [, make] = pick(this.#random, [first, ...rest]);
    return make(this.#random);
  }

  /** Returns faults that end a run, for one of several reasons. */
  #fatal(): readonly HostileFault[] {
    const { maxTotalDelayMs, responseRetries } = fullPolicy(this.#options.policy ?? {});
    const seconds = Math.ceil(maxTotalDelayMs / 1_000) + 60;
    const rejected: HostileFault = { kind: "status", status: pick(this.#random, [400, 401, 403, 404]) };
    const form = pick(this.#random, ["seconds", "date"]);
    const late: HostileFault = { kind: "status", status: 429, retryAfter: { seconds, form } };
    const useless = Array.from({ length: responseRetries + 1 }, (): HostileFault => ({ kind: "empty" }));
    const down = Array.from({ length: 24 }, (): HostileFault => ({ kind: "status", status: 503 }));
    return pick(this.#random, [[rejected], [late], [{ kind: "filtered" } as const], useless, down]);
  }

  #response(fault: HostileFault | undefined): PlannedResponse {
    const oddities = ODDITIES.filter(() => this.#random() < 0.2);
    return { fault, oddities, seed: Math.floor(this.#random() * 2 ** 32) };
  }
}

/** Plans the server's behaviour for the requests of a script. The same options give the same plan. */
export function planFaults(options: FaultPlanOptions): FaultPlan {
  const turns = new Planner(options).turns();
  const reason = judgeTurns(turns, options.policy);
  return { seed: options.seed, turns, completes: reason === undefined, reason };
}
