import { EngineError, messageOf, type ToolExecutor, type ToolTargets, toEngineError } from "@switchyard/contracts";
import type { ApprovalContext, ApprovalDecision, ApprovalRequest } from "../approval/approval-request.ts";
import { callHook } from "../hooks/call-hook.ts";
import { isRepeatable } from "../pipeline/is-repeatable.ts";
import { checkArguments } from "../pipeline/parse-arguments.ts";
import type { CallGate, EndedCall, ReadyCall } from "../pipeline/ready-call.ts";
import { failedOutcome, type ToolOutcome, toOutcome } from "../pipeline/tool-outcome.ts";
import { compileValidator, validatorOf } from "../pipeline/validate-arguments.ts";
import type { SessionCore } from "../session/session-core.ts";
import { untilAborted } from "../session/until-aborted.ts";
import { askHost, withPausedTimeout } from "./ask-user.ts";
import type { CallPosition } from "./call-order.ts";

function ended(error: EngineError): EndedCall {
  return { kind: "ended", outcome: failedOutcome(error) };
}

function warnOfHook(core: SessionCore, { call }: ReadyCall, error: EngineError): void {
  core.emit("warning", {
    message: error.message,
    kind: "hook_failed",
    details: { call: call.id, error: error.toWire() },
  });
}

function emitDecision(core: SessionCore, { call }: ReadyCall, decided: ApprovalDecision): void {
  const { decision, decidedBy, reason } = decided;
  core.emit("approval_decided", {
    tool_call_id: call.id,
    name: call.name,
    decision,
    decided_by: decidedBy,
    ...(reason === undefined ? {} : { reason }),
  });
}

function denied({ call }: ReadyCall, problem = "it was denied"): EndedCall {
  return ended(new EngineError("tool.denied", { tool: call.name, problem }));
}

/** Runs the hooks, which may change or deny a call. Changed arguments are validated like those from the model. */
async function runHooks(core: SessionCore, ready: ReadyCall): Promise<ReadyCall | EndedCall> {
  const hook = core.hooks?.beforeToolCall;
  if (hook === undefined) return ready;
  const { call, tool } = ready;
  try {
    const change = await callHook(core, { hook: "beforeToolCall" }, (context) =>
      hook({ call, tool, args: ready.args }, context),
    );
    if (change !== undefined && "deny" in change) {
      const reason = typeof change.deny === "string" ? change.deny : undefined;
      emitDecision(core, ready, { decision: "deny", decidedBy: "hook", reason });
      return denied(ready, reason);
    }
    const args = change?.args ?? ready.args;
    const { check } = validatorOf(tool.definition) ?? (await compileValidator(tool.definition));
    const problem = checkArguments(args) ?? check(args);
    if (problem === undefined) return { ...ready, args };
    throw new EngineError("hook.failed", {
      hook: "beforeToolCall",
      problem: `it returned invalid arguments: ${problem}`,
    });
  } catch (error) {
    if (core.signal.aborted || !EngineError.is(error)) return ready;
    warnOfHook(core, ready, error);
    return ended(error);
  }
}

/**
 * Returns the resources that the tool reports for a call. If the tool fails to report them, returns an unresolvable
 * path, so that path rules treat the call as uncertain.
 */
function targetsOf({ tool, args }: ReadyCall): ToolTargets | undefined {
  try {
    return tool.targets?.(tool.toCanonicalArguments?.(args) ?? args);
  } catch {
    return { paths: [""] };
  }
}

function requestOf(core: SessionCore, ready: ReadyCall): ApprovalRequest {
  const { call, tool, args } = ready;
  return {
    callId: call.id,
    tool: call.name,
    canonicalName: tool.canonicalName,
    args,
    effects: tool.effects ?? "unsafe",
    ...(tool.revision === undefined ? {} : { revision: tool.revision }),
    targets: targetsOf(ready),
    sessionId: core.id,
    agentId: core.agentId,
  };
}

const atOnce = (): Promise<void> => Promise.resolve();

/**
 * Checks the decision, because hosts without type checking may return anything. Only an explicit `allow` lets a call
 * run.
 */
function toDecision(decided: ApprovalDecision): ApprovalDecision {
  const { decision, decidedBy, reason, isHidden } = decided ?? {};
  if (decision === "allow" || decision === "deny") {
    return { decision, decidedBy: String(decidedBy ?? "host"), reason, isHidden };
  }
  return { decision: "deny", decidedBy: "host", reason: "the decision about it is neither allow nor deny" };
}

async function decide(
  core: SessionCore,
  ready: ReadyCall,
  position: CallPosition | undefined,
): Promise<ApprovalDecision> {
  const { approve, signal, environment, askUser } = core;
  if (approve === undefined) return { decision: "allow", decidedBy: "host" };
  const ask = askUser === undefined ? undefined : askHost.bind(undefined, core);
  try {
    const context: ApprovalContext = {
      ...{ signal, environment, askUser: ask, turn: position?.turn ?? atOnce },
      withPausedTimeout: (act) => withPausedTimeout(core, act),
    };
    return toDecision(await untilAborted(Promise.resolve(approve(requestOf(core, ready), context)), { signal }));
  } catch (error) {
    return { decision: "deny", decidedBy: "host", reason: `deciding about it failed: ${messageOf(error)}` };
  }
}

/** Replaces the tool of a call by one whose output omits the files that the approval decision hides. */
function hiding(ready: ReadyCall, isHidden: ApprovalDecision["isHidden"]): ReadyCall {
  if (isHidden === undefined) return ready;
  const { tool } = ready;
  const execute: ToolExecutor = (args, environment, context) =>
    tool.execute(args, environment, { ...context, isHidden });
  return { ...ready, tool: { ...tool, execute } };
}

/** Requests the approval decision about a call. See loop: §8, approvals between validation and execution. */
async function requestApproval(
  core: SessionCore,
  ready: ReadyCall,
  position: CallPosition | undefined,
): Promise<ReadyCall | EndedCall> {
  const decided = await decide(core, ready, position);
  if (core.signal.aborted) return ready;
  emitDecision(core, ready, decided);
  return decided.decision === "allow" ? hiding(ready, decided.isHidden) : denied(ready, decided.reason);
}

async function enter(
  core: SessionCore,
  ready: ReadyCall,
  position: CallPosition | undefined,
): Promise<ReadyCall | EndedCall> {
  const hooked = core.hooks?.beforeToolCall === undefined ? ready : await runHooks(core, ready);
  if (hooked.kind === "ended" || core.signal.aborted) return hooked;
  const passed = core.approve === undefined ? hooked : await requestApproval(core, hooked, position);
  if (passed.kind === "ended" || core.signal.aborted) return passed;
  position?.decide();
  if (isRepeatable(passed.tool)) return passed;
  if (core.beforeEffect !== undefined) await core.beforeEffect();
  core.effectJournal?.begin(ready.call.id);
  return passed;
}

/**
 * Passes the outcome of a call to the hooks. If a hook fails, the model does not receive the outcome, because the
 * purpose of the hook may be to redact it.
 */
async function leave(core: SessionCore, ready: ReadyCall, outcome: ToolOutcome): Promise<ToolOutcome> {
  const hook = core.hooks?.afterToolCall;
  if (hook === undefined || outcome.isCancelled) return outcome;
  const { call, tool, args } = ready;
  const hooked = { hook: "afterToolCall", graceMs: core.config.abortGraceMs } as const;
  try {
    const changed = await callHook(core, hooked, (context) => hook({ call, tool, args, outcome }, context));
    return changed === undefined || changed === outcome ? outcome : toOutcome(changed);
  } catch (thrown) {
    const error = toEngineError(thrown);
    warnOfHook(core, ready, error);
    const content = `The call was carried out, but what came of it cannot be shown. ${error.message}`;
    return { content, isError: true, isCancelled: false, details: { error: error.toWire() } };
  }
}

/** Runs the approval policy and the hooks before and after one tool call of a session. */
class SessionCallGate implements CallGate {
  readonly #core: SessionCore;
  readonly #position: CallPosition | undefined;
  enteredMs: number | undefined;

  constructor(core: SessionCore, position: CallPosition | undefined) {
    this.#core = core;
    this.#position = position;
  }

  async enter(ready: ReadyCall): Promise<ReadyCall | EndedCall> {
    const passed = await enter(this.#core, ready, this.#position);
    this.enteredMs = this.#core.now();
    return passed;
  }

  leave(ready: ReadyCall, outcome: ToolOutcome): Promise<ToolOutcome> {
    return leave(this.#core, ready, outcome);
  }
}

/**
 * Creates the gate of a call, which runs its approval and hooks. `undefined` if neither approvals, hooks,
 * `beforeEffect` nor a journal are configured. See loop: §3.8, §8.
 */
export function createCallGate(core: SessionCore, position: CallPosition | undefined): CallGate | undefined {
  const { approve, hooks, beforeEffect, effectJournal } = core;
  const isUngated = approve === undefined && hooks === undefined && beforeEffect === undefined;
  if (isUngated && effectJournal === undefined) return undefined;
  return new SessionCallGate(core, position);
}
