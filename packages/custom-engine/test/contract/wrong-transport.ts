import {
  type Board,
  type Engine,
  type Envelope,
  type ExecutionEnvironment,
  type Host,
  type Run,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
} from "@switchyard/contracts";
import {
  type CallBehaviour,
  type ReceivedCall,
  recordingHost,
  type TransportFactory,
  type TransportSetting,
  type TransportSubject,
} from "@switchyard/testkit";
import { openHttpTransport } from "./http-factory.ts";
import { openLocalTransport } from "./local-factory.ts";

/** A transport with one fault. */
export interface WrongTransport {
  /** What it does wrong. */
  readonly fault: string;
  /** Cases that must notice. */
  readonly noticedBy: readonly string[];
  /** Opens it. */
  readonly factory: TransportFactory;
}

/** Result of a run. */
export interface Outcome {
  readonly result: SessionResult | undefined;
  readonly error: unknown;
  /** Number of warnings. */
  readonly warnings: number;
}

/** Changes between a case and a transport that fulfils the contract. */
export interface Changes {
  /** Changes the setting that the case requests. */
  setting?(setting: TransportSetting): TransportSetting;
  /** Changes the engine's behaviour in a call. */
  call?(call: CallBehaviour): CallBehaviour;
  /** Changes the error with which the configuration is refused. */
  refusal?(error: unknown, setting: TransportSetting): unknown;
  /** Changes the workspace before a run. */
  before?(environment: ExecutionEnvironment): Promise<unknown>;
  /** Of the session. */
  input?(input: SessionInput): SessionInput;
  /** Changes the host that the engine receives. */
  host?(host: Host): Partial<Host>;
  /** Changes an event. `undefined` omits it. */
  event?(envelope: Envelope, setting: TransportSetting): Envelope | undefined;
  /** Changes how the engine is executed. */
  execute?(engine: Engine, run: Run, rest: { readonly host: Host; readonly board: Board }): Promise<unknown>;
  /** Changes the outcome of a run. */
  outcome?(outcome: Outcome, setting: TransportSetting): Partial<Outcome>;
  /** Changes the calls that the engine received. */
  received?(call: ReceivedCall, input: SessionInput): ReceivedCall | readonly ReceivedCall[];
}

/**
 * Returns a transport that fulfils the contract except for some changes. By default a service, because its calls take
 * less time.
 */
export function but(changes: Changes, factory: TransportFactory = openHttpTransport): TransportFactory {
  return async (requested) => {
    const wanted = changes.setting?.(requested) ?? requested;
    const { behaviour } = wanted;
    const calls = behaviour.calls.map((call) => changes.call?.(call) ?? call);
    const setting = { ...wanted, behaviour: { ...behaviour, calls } };
    try {
      return wrap(await factory(setting), changes, requested);
    } catch (error) {
      throw changes.refusal?.(error, requested) ?? error;
    }
  };
}

/** The same for commands. */
export function butLocal(changes: Changes): TransportFactory {
  return but(changes, openLocalTransport);
}

function wrap(right: TransportSubject, changes: Changes, setting: TransportSetting): TransportSubject {
  let last: SessionInput = { messages: [] };
  const engine: Engine = {
    ...right.engine,
    async execute(run, host, board) {
      await changes.before?.(right.environment);
      last = board.get(SESSION_INPUT) ?? last;
      if (changes.input !== undefined) board.set(SESSION_INPUT, changes.input(last));
      const watched = watch(host, changes, setting);
      const { error } = await settle(
        changes.execute?.(right.engine, run, { host: watched.host, board }) ??
          right.engine.execute(run, watched.host, board),
      );
      const outcome = { result: board.get(SESSION_RESULT), error, warnings: watched.warnings() };
      const { result, error: failure } = { ...outcome, ...changes.outcome?.(outcome, setting) };
      if (result !== undefined) board.set(SESSION_RESULT, result);
      if (failure !== undefined) throw failure;
      return board;
    },
  };
  return {
    ...right,
    engine,
    received: () => right.received().flatMap((call) => changes.received?.(call, last) ?? [call]),
  };
}

async function settle(running: Promise<unknown>): Promise<{ error: unknown }> {
  try {
    await running;
    return { error: undefined };
  } catch (error) {
    return { error };
  }
}

function watch(host: Host, changes: Changes, setting: TransportSetting): { host: Host; warnings(): number } {
  let warnings = 0;
  const watched: Host = {
    interrupts: () => host.interrupts(),
    askUser: (prompt, options) => host.askUser(prompt, options),
    checkpoint: (checkpoint) => host.checkpoint(checkpoint),
    reportUsage: (usage) => host.reportUsage(usage),
    ...changes.host?.(host),
    async publish(envelope) {
      if (envelope.type === "warning") warnings += 1;
      const changed = changes.event === undefined ? envelope : changes.event(envelope, setting);
      if (changed !== undefined) await host.publish(changed);
    },
  };
  return { host: watched, warnings: () => warnings };
}

/** Changes the complete text. */
export function retold<T>(value: T, change: (text: string) => string): T {
  return value === undefined ? value : JSON.parse(change(JSON.stringify(value)));
}

/** Changes the SessionInput that the engine received. */
export function reported(
  change: (input: Record<string, unknown>, sent: SessionInput) => unknown,
): NonNullable<Changes["received"]> {
  return (call, sent) => ({ ...call, payload: JSON.stringify(change(JSON.parse(call.payload), sent)) });
}

/** Changes settings of the custom block. */
export function custom(
  change: (block: Readonly<Record<string, unknown>>, setting: TransportSetting) => Record<string, unknown>,
): NonNullable<Changes["setting"]> {
  return (setting) => {
    const changed = Object.entries({ ...setting.custom, ...change(setting.custom, setting) });
    return { ...setting, custom: Object.fromEntries(changed.filter(([, value]) => value !== undefined)) };
  };
}

/** Changes settings of the transport's block. */
export function carrier(
  change: (block: Readonly<Record<string, unknown>>, setting: TransportSetting) => Record<string, unknown>,
): NonNullable<Changes["setting"]> {
  return (setting) => {
    const changed = Object.entries({ ...setting.carrier, ...change(setting.carrier, setting) });
    return { ...setting, carrier: Object.fromEntries(changed.filter(([, value]) => value !== undefined)) };
  };
}

/** Changes responses that are JSON objects. */
export function answers(change: (answer: Record<string, unknown>) => unknown): NonNullable<Changes["call"]> {
  return (call) => (isMap(call.answer) ? { ...call, answer: change(call.answer) } : call);
}

/** Changes of results. */
export function results(
  change: (result: SessionResult, setting: TransportSetting) => object,
): NonNullable<Changes["outcome"]> {
  return ({ result }, setting) => (result === undefined ? {} : { result: { ...result, ...change(result, setting) } });
}

/** Returns whether a value is a map. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the entries of a list, and no entries for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Interrupts that never come. */
export const DEAF: Partial<Host> = { interrupts: () => recordingHost().interrupts() };

/** A signal that never aborts. */
export const NEVER: AbortSignal = new AbortController().signal;
