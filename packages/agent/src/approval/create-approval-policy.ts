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

/** Calls that the user has allowed for the session, identified by digests. */
export interface AllowedCalls {
  /** Returns whether a call was allowed. */
  has(name: string): boolean;
  /** Stores an allowed call. */
  add(name: string): unknown;
}

/** Approval policy, with its dependencies. */
export interface ApprovalPolicyOptions extends ApprovalPolicy {
  /** Asks the user. Default: the session's `askUser`. */
  readonly ask?: AskUser | undefined;
  /** Stores calls that were allowed for the session. Default: in memory, for the lifetime of the policy. */
  readonly allowed?: AllowedCalls | undefined;
}

const OUTCOMES: readonly unknown[] = ["allow", "deny", "ask"] satisfies ApprovalOutcome[];

function assertOutcome(outcome: unknown, field: string): void {
  if (OUTCOMES.includes(outcome)) return;
  throw new EngineError("config.invalid", { field, problem: "it is none of allow, deny and ask" });
}

/** Returns a digest of fixed length, because arguments may be megabytes. */
function digestOf(signature: string): string {
  return createHash("sha256").update(signature).digest("hex");
}

/** Allows questions to the user without approval. A tool with the same name but other effects is not exempt. */
function withoutRiddles({ tool, canonicalName = tool, effects }: ApprovalRequest, judged: Evaluation): Evaluation {
  const isQuestion = canonicalName === askUserTool.definition.name && effects === "readonly";
  return isQuestion && judged.outcome === "ask" ? { outcome: "allow" } : judged;
}

/** Does not apply `allow` rules to a tool whose definition the server has changed since. */
function forThisVersion({ revision }: ApprovalRequest, judged: Evaluation, otherwise: ApprovalOutcome): Evaluation {
  if (revision?.hasChanged !== true || judged.outcome === "deny") return judged;
  const isByRule = judged.outcome === "allow" && otherwise !== "allow";
  return isByRule || judged.outcome === "ask" ? { outcome: "ask", reason: judged.reason ?? CHANGED_TOOL } : judged;
}

function callIt<T>(act: () => Promise<T>): Promise<T> {
  return act();
}

/** Policy with the calls allowed for the session. Asks one question at a time. */
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
    // Compiles once at creation, so that invalid rules are reported then.
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
    // The exact call: same tool, same arguments, same folder.
    const signature = digestOf(signatureOf(request, context.environment.workingDirectory));
    if (this.#allowed.has(signature))
      return { decision: "allow", decidedBy: "user", reason: "allowed for the session" };
    await context.turn();
    const { whileAsking = callIt } = context;
    return whileAsking(() => this.#oneByOne(() => this.#ask(request, context, { reason, signature })));
  }

  /** Returns a filter for files that rules deny to the call. */
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
      // An unanswered question of a session that has ended must not block other questions.
      const reply = parseApprovalReply(await untilAborted(asked, { signal }));
      const decided = decisionOf(reply);
      if (decided.decision === "deny") return decided;
      // Checked again, because another call may have replaced a file by a link while the user was deciding.
      const now = await this.#judge(request, context);
      if (now.outcome === "deny") return { decision: "deny", decidedBy: "rule", reason: now.reason ?? FORBIDDEN };
      // A reply for a session that has ended must not allow calls of the next one.
      signal.throwIfAborted();
      if (reply?.answer === "allow_session") this.#allowed.add(signature);
      return decided;
    } catch (error) {
      return unanswered(error, reason);
    }
  }
}

/**
 * Creates a policy that allows or denies calls by rules, or asks the user. The first matching rule decides; for a call
 * with several targets, the strictest decision applies. Paths are compared after resolving links inside the workspace.
 * If a match is uncertain (a link, a path outside the workspace, a compound command, a wide search), the strictest
 * possibly matching rule applies. If no valid reply arrives, the call is denied. `ask_user` never requires approval. A
 * user may allow an exact call for the session. Rules do not restrict what an allowed command does, so they are no
 * security boundary against malicious commands. Throws `config.invalid`. loop: §8.
 */
export function createApprovalPolicy(options: ApprovalPolicyOptions): ApproveToolCall {
  const desk = new RuleBasedPolicy(options);
  return async (request, context) => {
    const decided = await desk.decide(request, context);
    const isHidden = decided.decision === "allow" ? desk.hiddenFrom(request, context) : undefined;
    return isHidden === undefined ? decided : { ...decided, isHidden };
  };
}
