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

/** The calls that a user has allowed for the session, by names of fixed length. */
export interface AllowedCalls {
  /** Whether a call was allowed. */
  has(name: string): boolean;
  /** Remembers one. */
  add(name: string): unknown;
}

/** A policy and whom it asks. */
export interface ApprovalPolicyOptions extends ApprovalPolicy {
  /** Asks the user; `askUser` of the session by default. */
  readonly ask?: AskUser | undefined;
  /** Remembers what was allowed for the session; as long as the policy lives by default. */
  readonly allowed?: AllowedCalls | undefined;
}

const OUTCOMES: readonly unknown[] = ["allow", "deny", "ask"] satisfies ApprovalOutcome[];

function assertOutcome(outcome: unknown, field: string): void {
  if (OUTCOMES.includes(outcome)) return;
  throw new EngineError("config.invalid", { field, problem: "it is none of allow, deny and ask" });
}

/** A name of fixed length for what may be megabytes. */
function digestOf(signature: string): string {
  return createHash("sha256").update(signature).digest("hex");
}

/** Nobody needs a permission to ask for one, or for anything else; a tool that does more has the name in vain. */
function withoutRiddles({ tool, canonicalName = tool, effects }: ApprovalRequest, judged: Evaluation): Evaluation {
  const isQuestion = canonicalName === askUserTool.definition.name && effects === "readonly";
  return isQuestion && judged.outcome === "ask" ? { outcome: "allow" } : judged;
}

/** An allow rule is for the tool that was there when it was written, not for what its server makes of it later. */
function forThisVersion({ revision }: ApprovalRequest, judged: Evaluation, otherwise: ApprovalOutcome): Evaluation {
  if (revision?.hasChanged !== true || judged.outcome === "deny") return judged;
  const isByRule = judged.outcome === "allow" && otherwise !== "allow";
  return isByRule || judged.outcome === "ask" ? { outcome: "ask", reason: judged.reason ?? CHANGED_TOOL } : judged;
}

function callIt<T>(act: () => Promise<T>): Promise<T> {
  return act();
}

/** A policy at work: what was allowed for the session, and one question at a time. */
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
    // What is wrong with a rule is said when the policy is made, not when the first call comes.
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
    // Exactly what was allowed: the same tool, the same arguments, in the same folder.
    const signature = digestOf(signatureOf(request, context.environment.workingDirectory));
    if (this.#allowed.has(signature))
      return { decision: "allow", decidedBy: "user", reason: "allowed for the session" };
    await context.turn();
    const { whileAsking = callIt } = context;
    return whileAsking(() => this.#oneByOne(() => this.#ask(request, context, { reason, signature })));
  }

  /** What the call must leave out: files that rules deny it. */
  hiddenFrom(request: ApprovalRequest, { environment }: ApprovalContext): ApprovalDecision["isHidden"] {
    const { rules, workspace = baseEnvironmentOf(environment).workingDirectory } = this.#options;
    if (request.targets?.omitsHiddenFiles !== true || rules.every(({ path }) => path === undefined)) return undefined;
    const policy = { rules: this.#rulesFor(environment.platform), otherwise: this.#otherwise };
    return (path) => {
      const place = locationOfFound(path, { environment, workspace });
      return evaluateCall(request, [{ kind: "path", place }], policy).outcome === "deny";
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
    const asked = this.#asking.then(ask);
    this.#asking = asked.catch(() => undefined);
    return asked;
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
      const asked = Promise.resolve(ask(approvalPrompt(request, { reason, folder }), { signal }));
      // One that is not answered must hold up nobody else's question when its session is gone.
      const reply = parseApprovalReply(await untilAborted(asked, { signal }));
      const decided = decisionOf(reply);
      if (decided.decision === "deny") return decided;
      // While somebody thought about it, another call may have put a link where a file was: a rule still forbids.
      const now = await this.#judge(request, context);
      if (now.outcome === "deny") return { decision: "deny", decidedBy: "rule", reason: now.reason ?? FORBIDDEN };
      // Whose session is gone allows nothing to the next.
      signal.throwIfAborted();
      if (reply?.answer === "allow_session") this.#allowed.add(signature);
      return decided;
    } catch (error) {
      return unanswered(error, reason);
    }
  }
}

/**
 * Decides calls by rules: allow, deny, or ask the user. The first rule that fits decides; a call that touches several
 * things gets the strictest decision about any of them. Paths are compared where they lead to below the workspace; one
 * that leads through a link or out of it, a command that is more than one simple command, and a search that may reach
 * more than a rule covers fall to the strictest rule that may be meant. Where nobody can answer, or the answer is
 * none, the call is denied; `ask_user` itself is never asked about. A user may allow a call for the session: then
 * exactly this call is not asked about again, as long as this policy, or what remembers it, lives. What a command does once it may run is not
 * seen, so rules are no boundary against one that means harm. Throws `config.invalid`. loop: §8.
 */
export function createApprovalPolicy(options: ApprovalPolicyOptions): ApproveToolCall {
  const desk = new RuleBasedPolicy(options);
  return async (request, context) => {
    const decided = await desk.decide(request, context);
    const isHidden = decided.decision === "allow" ? desk.hiddenFrom(request, context) : undefined;
    return isHidden === undefined ? decided : { ...decided, isHidden };
  };
}
