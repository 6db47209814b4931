import assert from "node:assert/strict";
import {
  DEPENDENCY,
  EngineError,
  type Envelope,
  findEngineError,
  type Interrupt,
  SESSION_RESULT,
  type SessionInput,
  type SessionMessage,
  type SessionResult,
} from "@switchyard/contracts";
import { outcomeOf } from "../contract/expectations.ts";
import { startRun } from "../engine-contract/attempt-run.ts";
import type { RecordingHost } from "../host/recording-host.ts";
import type { CallBehaviour, ReceivedCall } from "./engine-behaviour.ts";
import type { TransportFactory, TransportSetting, TransportSubject } from "./transport-subject.ts";

/** Name of the engines in all conformance cases. */
export const ENGINE_NAME = "contract-engine";
/**
 * API key that the conformance cases use. The key does not look like a credential, so that it is masked only if the
 * transport knows that it is secret.
 */
export const API_KEY = "contract/key+of:the-cases 0123";
/** Text by which a masked secret is replaced. */
export const REDACTED = "***REDACTED***";
/** Minimal valid response of an engine. */
export const DONE: Readonly<SessionResult> = { exit_code: 0, final_message: "done" };

/**
 * Options of a transport as written in a conformance case. `does` defines how the simulated engine behaves when it is
 * called.
 */
export interface CaseSetting extends Partial<TransportSetting> {
  readonly does?: CallBehaviour | readonly CallBehaviour[] | undefined;
}

/** Options of the run in a conformance case. */
export interface CaseRun {
  /** Session input. Default: one message. */
  readonly input?: Partial<SessionInput> | undefined;
  /** Files written into the workspace beforehand. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Command line that is run in the workspace before the engine is called. */
  readonly script?: string | undefined;
  /** How the run is stopped once the engine has received the call: by the run's signal, or by an interrupt. */
  readonly stop?: "signal" | Interrupt | undefined;
}

/** Outcome of a run. */
export interface TransportRun {
  /** The result that the engine stored on the board (the state of the run), also after a failed run. */
  readonly result: SessionResult | undefined;
  /** Error of the run, or the reason why there is no engine. */
  readonly error: unknown;
  readonly events: readonly Envelope[];
  readonly host: RecordingHost | undefined;
  readonly received: readonly ReceivedCall[];
  /** Engine under test and its environment. `undefined` if the configuration was rejected. */
  readonly subject: TransportSubject | undefined;
}

/** Test bench for the conformance cases of transports. */
export interface TransportBench {
  /** Creates an engine. Rejects if the engine's configuration is rejected. */
  open(setting?: CaseSetting): Promise<TransportSubject>;
  /** Creates an engine and runs a session with it. */
  run(setting?: CaseSetting, run?: CaseRun): Promise<TransportRun>;
  /** Releases all resources. */
  dispose(): Promise<void>;
}

function isList(does: CaseSetting["does"]): does is readonly CallBehaviour[] {
  return Array.isArray(does);
}

function toSetting({ does = { answer: DONE }, ...setting }: CaseSetting): TransportSetting {
  const calls = isList(does) ? does : [does];
  return { name: ENGINE_NAME, custom: {}, carrier: {}, variables: {}, behaviour: { calls }, ...setting };
}

/** Opens a test bench for the engines that a factory configures. */
export async function openTransportBench(factory: TransportFactory): Promise<TransportBench> {
  const opened: TransportSubject[] = [];
  const open = async (setting: CaseSetting = {}): Promise<TransportSubject> => {
    const subject = await factory(toSetting(setting));
    opened.push(subject);
    return subject;
  };
  return {
    open,
    async run(setting, run = {}) {
      const outcome = await outcomeOf(() => open(setting));
      if ("value" in outcome) return runSubject(outcome.value, run);
      const { error } = outcome;
      return { result: undefined, error, events: [], host: undefined, received: [], subject: undefined };
    },
    async dispose() {
      await Promise.all(opened.map((subject) => subject.dispose()));
    },
  };
}

/** Runs a session with an existing engine. */
export async function runSubject(subject: TransportSubject, run: CaseRun = {}): Promise<TransportRun> {
  const { environment, engine } = subject;
  for (const [path, content] of Object.entries(run.files ?? {})) await environment.writeFile(path, content);
  if (run.script !== undefined) {
    const { exitCode, stderr } = await environment.shell(run.script);
    assert.equal(exitCode, 0, `a script that prepares the case failed: ${stderr}`);
  }
  const before = subject.received().length;
  const controller = new AbortController();
  const started = await startRun(
    {
      engine,
      dependencies: () => [[DEPENDENCY.environment, environment]],
      input: { messages: userMessages("Say hello."), ...run.input },
    },
    { run: { signal: controller.signal } },
  );
  if (run.stop !== undefined) {
    await Promise.race([subject.whenReceived(before + 1), started.over]);
    if (run.stop === "signal") controller.abort();
    else started.host.interrupt(run.stop);
  }
  const { board, host, error } = await started.over;
  return {
    ...{ result: board.get(SESSION_RESULT), error, events: host.envelopes, host, subject },
    received: subject.received().slice(before),
  };
}

/** Returns session messages with the given texts: the first from the user, the second from the assistant, and so on. */
export function userMessages(...texts: readonly string[]): SessionMessage[] {
  return texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}

/** Returns the result of a run. Fails if the run did not succeed. */
export function resultOf({ error, result }: TransportRun): SessionResult {
  if (error !== undefined) assert.fail(`The run failed: ${describeError(error)}`);
  if (result === undefined) assert.fail("The run succeeded without a result.");
  return result;
}

function describeError(error: unknown): string {
  const found = findEngineError(error);
  return found === undefined ? String(error) : `${found.code}: ${found.message}`;
}

/**
 * Asserts that a run failed with one of the given codes. Returns the error. `transport.` matches all codes with this
 * prefix.
 */
export function failureOf({ error }: TransportRun, ...codes: readonly string[]): EngineError {
  if (error === undefined) assert.fail(`The run did not fail, expected ${codes.join(" or ")}.`);
  const found = findEngineError(error);
  if (found === undefined) assert.fail(`The run failed with an unclassified error: ${String(error)}`);
  const isExpected = codes.some((code) => (code.endsWith(".") ? found.code.startsWith(code) : found.code === code));
  assert.ok(isExpected, `The run failed with ${found.code} (${found.message}), expected ${codes.join(" or ")}.`);
  return found;
}

/** Returns the SessionInput of the only call that an engine received. */
export function inputOf({ error, received }: Pick<TransportRun, "error" | "received">): SessionInput {
  const [first, second] = received;
  if (first === undefined)
    assert.fail(`The engine got no call${error === undefined ? "" : `: ${describeError(error)}`}.`);
  assert.equal(second, undefined, "The engine got more than one call.");
  return toInput(first);
}

/** Parses the SessionInput of a call. */
export function toInput({ payload }: ReceivedCall): SessionInput {
  const input: SessionInput = JSON.parse(payload);
  return input;
}

/** Returns the warnings of a run. */
export function warningsOf({ host }: TransportRun): readonly string[] {
  return (host?.ofType("warning") ?? []).map(({ payload }) => payload.message);
}

/** Returns the printed output that the host received. */
export function printedOf({ events }: TransportRun): string {
  return events
    .flatMap(({ payload }) => {
      const content: unknown = Reflect.get(payload, "content");
      return Reflect.get(payload, "type") === "engine_output" && typeof content === "string" ? [content] : [];
    })
    .join("");
}

/** Returns everything that an engine passes to its host: result, events and error. */
function exposedTexts({ result, events, error }: TransportRun): string {
  return [JSON.stringify(result), JSON.stringify(events), ...textsOfError(error)].join("\n");
}

function textsOfError(error: unknown): string[] {
  const texts: string[] = [];
  for (let one = error, depth = 0; one !== undefined && depth < 10; depth += 1) {
    texts.push(String(one));
    if (EngineError.is(one)) texts.push(JSON.stringify(one.details));
    one = one instanceof Error ? one.cause : undefined;
  }
  return texts;
}

/** Asserts that result, events and error of an engine do not contain a text. */
export function assertNotExposed(run: TransportRun, ...texts: readonly string[]): void {
  const exposed = exposedTexts(run);
  for (const text of texts) {
    const at = exposed.indexOf(text);
    if (at < 0) continue;
    assert.fail(
      `the output contains a secret: ${JSON.stringify(exposed.slice(Math.max(0, at - 40), at + text.length + 20))}`,
    );
  }
}

/** Asserts that a run is rejected before the engine is called, with a message that contains the given text. */
export async function assertRefused(
  bench: TransportBench,
  setting: CaseSetting,
  { mentions, ...run }: CaseRun & { readonly mentions: string },
): Promise<void> {
  const done = await bench.run(setting, run);
  const { message } = failureOf(done, "config.", "template.secret_in_command");
  assert.ok(message.includes(mentions), `the message lacks ${mentions}: ${message}`);
  assert.equal(done.received.length, 0, "the engine was reached although it must not be");
  assertNotExposed(done, API_KEY);
}
