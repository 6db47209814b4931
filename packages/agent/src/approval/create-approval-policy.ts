import { createHash } from "node:crypto";
import { EngineError } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";
import { untilAborted } from "../session/until-aborted.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { ApprovalOutcome, ApprovalPolicy } from "./approval-policy.ts";
import type {
  ApprovalContext,
  ApprovalDecision,
  ApprovalRequest,
  ApproveToolCall,
  AskUser,
} from "./approval-request.ts";
import { isElsewhere, subjectsOf } from "./approval-subject.ts";
import { approvalPrompt, decisionOf, parseApprovalReply, unanswered } from "./ask-approval.ts";
import { type CompiledRule, compileRule } from "./compile-rule.ts";
import { type Evaluation, evaluateCall } from "./evaluate-call.ts";
import { foldFor, locationOfFound } from "./resolve-location.ts";
import { signatureOf } from "./signature-of.ts";

const FORBIDDEN = "a rule forbids it";
const CHANGED_TOOL = "its server has changed the tool's description or parameters since it was allowed";

/** Tool calls that a user has allowed for the rest of the session, identified by fixed-length digests. */
export interface AllowedCalls {
  /** Returns true if the user has allowed the call with this digest. */
  has(name: string): boolean;
  /** Records an allowed call. */
  add(name: string): unknown;
}

/** Options for `createApprovalPolicy`: the policy, and the function that asks the user. */
export interface ApprovalPolicyOptions extends ApprovalPolicy {
  /** Asks the user. Default: `askUser` of the session. */
  readonly ask?: AskUser | undefined;
  /** Store of the calls allowed for the session. Default: in memory for the lifetime of the policy. */
  readonly allowed?: AllowedCalls | undefined;
}

const OUTCOMES: readonly unknown[] = ["allow", "deny", "ask"] satisfies ApprovalOutcome[];

function assertOutcome(outcome: unknown, field: string): void {
  if (OUTCOMES.includes(outcome)) return;
  throw new EngineError("config.invalid", { field, problem: "it is not one of: allow, deny, ask" });
}

/** Returns a fixed-length digest of a call signature. Signatures can be megabytes long. */
function digestOf(signature: string): string {
  return createHash("sha256").update(signature).digest("hex");
}

/**
 * Allows `ask_user` without approval, unless a rule denies it. The exception does not apply to a host's tool of the
 * same name with other effects.
 */
function withoutRiddles({ tool, canonicalName = tool, effects }: ApprovalRequest, judged: Evaluation): Evaluation {
  const isQuestion = canonicalName === askUserTool.definition.name && effects === "readonly";
  return isQuestion && judged.outcome === "ask" ? { outcome: "allow" } : judged;
}

/**
 * Turns the outcome into a question to the user if the tool's definition has changed. An allow rule covers only the
 * version of the tool that existed when the rule was written.
 */
function forThisVersion({ revision }: ApprovalRequest, judged: Evaluation, otherwise: ApprovalOutcome): Evaluation {
  if (revision?.hasChanged !== true || judged.outcome === "deny") return judged;
  const isByRule = judged.outcome === "allow" && otherwise !== "allow";
  return isByRule || judged.outcome === "ask" ? { outcome: "ask", reason: judged.reason ?? CHANGED_TOOL } : judged;
}

function callIt<T>(act: () => Promise<T>): Promise<T> {
  return act();
}

/**
 * Applies the rules of a policy and remembers the calls that the user allowed for the session. Asks one question at a
 * time.
 */
class RuleBasedPolicy {
  readonly #options: ApprovalPolicyOptions;
  readonly #otherwise: ApprovalOutcome;
  readonly #rules = new Map<string, readonly CompiledRule[]>();
  readonly #allowed: AllowedCalls;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(options: ApprovalPolicyOptions) {
    this.#options = options;
    this.#allowed = options.allowed ?? new Set<string>();
    this.#otherwise = options.otherwise ?? "ask";
    assertOutcome(this.#otherwise, "approval otherwise");
    for (const rule of options.rules) assertOutcome(rule.outcome, "approval rule outcome");
    // Compiled once here, so that invalid rules are reported when the policy is created, not at the first call.
    this.#rulesFor("linux");
  }

  async decide(request: ApprovalRequest, context: ApprovalContext): Promise<ApprovalDecision> {
    const judged = withoutRiddles(request, await this.#judge(request, context));
    const { outcome, reason } = forThisVersion(request, judged, this.#otherwise);
    if (outcome !== "ask") {
      return {
        decision: outcome,
        decidedBy: "rule",
        reason: reason ?? (outcome === "deny" ? FORBIDDEN : reason),
      };
    }
    // Only an identical call counts as allowed: the same tool and arguments in the same folder.
    const signature = digestOf(signatureOf(request, context.environment.workingDirectory));
    if (this.#allowed.has(signature))
      return { decision: "allow", decidedBy: "user", reason: "allowed for the session" };
    await context.turn();
    const { withPausedTimeout = callIt } = context;
    return withPausedTimeout(() => this.#oneByOne(() => this.#ask(request, context, { reason, signature })));
  }

  /**
   * Returns a predicate for the files that an allowed call must omit because rules deny them. `undefined` if the tool
   * omits no files or no rule uses paths.
   */
  hiddenFrom(request: ApprovalRequest, { environment }: ApprovalContext): ApprovalDecision["isHidden"] {
    const { rules, workspace = baseEnvironmentOf(environment).workingDirectory } = this.#options;
    if (request.targets?.omitsHiddenFiles !== true || rules.every(({ path }) => path === undefined)) return undefined;
    const policy = { rules: this.#rulesFor(environment.platform), otherwise: this.#otherwise };
    return (path) => {
      const location = locationOfFound(path, { environment, workspace });
      return evaluateCall(request, [{ kind: "path", location }], policy).outcome === "deny";
    };
  }

  #rulesFor(platform: ApprovalContext["environment"]["platform"]): readonly CompiledRule[] {
    const known = this.#rules.get(platform);
    if (known !== undefined) return known;
    const rules = this.#options.rules.map((rule) => compileRule(rule, foldFor(platform)));
    this.#rules.set(platform, rules);
    return rules;
  }

  async #judge(request: ApprovalRequest, context: ApprovalContext): Promise<Evaluation> {
    const { platform } = context.environment;
    const { rules, workspace = baseEnvironmentOf(context.environment).workingDirectory } = this.#options;
    const needsLocations = rules.some(({ path }) => path !== undefined);
    const subjects = await subjectsOf(request, context, { workspace, needsLocations });
    return evaluateCall(request, subjects, { rules: this.#rulesFor(platform), otherwise: this.#otherwise });
  }

  #oneByOne(ask: () => Promise<ApprovalDecision>): Promise<ApprovalDecision> {
    const decision = this.#asking.then(ask);
    this.#asking = decision.catch(() => undefined);
    return decision;
  }

  async #ask(
    request: ApprovalRequest,
    context: ApprovalContext,
    { reason, signature }: { readonly reason: string | undefined; readonly signature: string },
  ): Promise<ApprovalDecision> {
    if (this.#allowed.has(signature))
      return { decision: "allow", decidedBy: "user", reason: "allowed for the session" };
    const { signal, environment } = context;
    const ask = this.#options.ask ?? context.askUser;
    try {
      signal.throwIfAborted();
      if (ask === undefined) throw new EngineError("prompt.unavailable");
      const folder = isElsewhere(environment) ? environment.workingDirectory : undefined;
      const pendingReply = Promise.resolve(ask(approvalPrompt(request, { reason, folder }), { signal }));
      // The wait ends with the session. A question without a reply then does not block other sessions.
      const reply = parseApprovalReply(await untilAborted(pendingReply, { signal }));
      const decided = decisionOf(reply);
      if (decided.decision === "deny") return decided;
      // While the user was deciding, another call may have replaced a file by a link. Deny rules still apply.
      const now = await this.#judge(request, context);
      if (now.outcome === "deny") return { decision: "deny", decidedBy: "rule", reason: now.reason ?? FORBIDDEN };
      // An answer for an aborted session must not allow later calls.
      signal.throwIfAborted();
      if (reply?.answer === "allow_session") this.#allowed.add(signature);
      return decided;
    } catch (error) {
      return unanswered(error, reason);
    }
  }
}

/**
 * Creates an approval policy that allows, denies or asks the user by rules. The first matching rule decides; a call
 * that accesses several resources gets the strictest of their outcomes.
 *
 * Paths are resolved and compared below the workspace. If a match is uncertain, the strictest rule that may match
 * applies. This concerns paths through links or outside the workspace, commands that are not one simple command, and
 * searches wider than a rule.
 *
 * A call is denied if no user can answer or the answer is invalid. `ask_user` itself never needs approval. A user can
 * allow a call for the session. An identical call is then not asked about again while this policy, or its `allowed`
 * store, exists.
 *
 * The policy does not observe what a command does once it runs, so rules are not a security boundary against malicious
 * commands. Throws `config.invalid`. See loop: §8.
 */
export function createApprovalPolicy(options: ApprovalPolicyOptions): ApproveToolCall {
  const desk = new RuleBasedPolicy(options);
  return async (request, context) => {
    const decided = await desk.decide(request, context);
    const isHidden = decided.decision === "allow" ? desk.hiddenFrom(request, context) : undefined;
    return isHidden === undefined ? decided : { ...decided, isHidden };
  };
}
