import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { type EngineError, type ExecutionEnvironment, findEngineError, messageOf } from "@switchyard/contracts";
import { applies } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import type { EnvironmentAbility, EnvironmentFactory, EnvironmentSubject } from "./environment-subject.ts";

const PATIENCE_MS = 5_000;
const KILL_GRACE_MS = 2_000;
const POLL_MS = 25;

/** Variables of the host in every case: one to pass, one with a secret's name, one with a secret's value. */
export const HOST_VARIABLES: Readonly<Record<string, string>> = {
  CONTRACT_PLAIN: "plain value",
  CONTRACT_OTHER: "other value",
  contract_api_key: "named like a secret",
  CONTRACT_DB_PASSWORD: "named like a secret too",
  CONTRACT_HARMLESS: `ghp_${"a1B2c3D4e5F6".repeat(3)}`,
  LANG: "C.UTF-8",
};

/** An opened subject, and what cases do in its place. */
export interface EnvironmentBench {
  /** The environment. */
  readonly environment: ExecutionEnvironment;
  /** Milliseconds that one call may take beyond what it was asked to wait. */
  readonly patienceMs: number;
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly killGraceMs: number;
  /** Leaves the case out where the place is without one of these. */
  needs(...abilities: readonly EnvironmentAbility[]): void;
  /** Puts files into the workspace. */
  furnish(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Runs a script behind the environment's back where that is possible, else with its shell; gives the output. */
  script(text: string): Promise<string>;
  /** The folder beside the workspace; leaves the case out where there is none. */
  outside(): string;
  /** Fails unless what is outside is as it was. */
  assertOutsideUntouched(): Promise<void>;
  /** Number of living processes with the mark in their command line. */
  countProcesses(mark: string): Promise<number>;
  /** Fails unless no process with the mark is left, now or very soon. */
  assertGone(mark: string): Promise<void>;
  /** Makes a socket in the workspace; leaves the case out where none can be made. */
  makeSocket(path: string): Promise<void>;
  /** Gives the environment and its place back. */
  dispose(): Promise<void>;
}

/** The place of a factory. */
export async function openEnvironmentBench(factory: EnvironmentFactory): Promise<EnvironmentBench> {
  const made = await factory({ variables: HOST_VARIABLES });
  return toPlace("environment" in made ? made : { environment: made });
}

function toPlace(subject: EnvironmentSubject): EnvironmentBench {
  const { environment, lacks = {} } = subject;
  const needs = (...abilities: readonly EnvironmentAbility[]): void => {
    for (const ability of abilities) applies(lacks[ability] === undefined, lacks[ability] ?? "");
  };
  const script = (text: string): Promise<string> => runScript(subject, text);
  const outside = (): string => {
    needs("outside");
    applies(subject.outside, "nothing is known beside the workspace of this place");
    return subject.outside;
  };
  const countProcesses = async (mark: string): Promise<number> => {
    if (subject.countProcesses !== undefined) return subject.countProcesses(mark);
    needs("host");
    applies(subject.host, "nothing tells the processes of this place");
    return Number(await subject.host(renderProcessCount(mark)));
  };
  return {
    environment,
    patienceMs: subject.patienceMs ?? PATIENCE_MS,
    killGraceMs: subject.killGraceMs ?? KILL_GRACE_MS,
    needs,
    script,
    outside,
    countProcesses,
    async furnish(files) {
      const furnisher = subject.furnish ?? environment;
      for (const [path, content] of Object.entries(files)) await furnisher.writeFile(path, content);
    },
    async assertOutsideUntouched() {
      const found = await script(`cd ${quote(outside())} && ls -A && cat secret.txt`);
      assert.equal(found, "secret.txt\nSECRET\n", "what is outside was changed");
    },
    async assertGone(mark) {
      const deadline = performance.now() + 1_000;
      let left = await countProcesses(mark);
      while (left > 0 && performance.now() < deadline) {
        await pause(POLL_MS);
        left = await countProcesses(mark);
      }
      assert.equal(left, 0, `processes that are left running: ${left}`);
    },
    async makeSocket(path) {
      needs("sockets");
      applies(subject.makeSocket, "nothing makes sockets in this place");
      await subject.makeSocket(path);
    },
    async dispose() {
      await environment[Symbol.asyncDispose]();
      await subject.dispose?.();
    },
  };
}

async function runScript({ host, environment, lacks }: EnvironmentSubject, text: string): Promise<string> {
  if (host !== undefined && lacks?.host === undefined) return host(text);
  applies(lacks?.shell === undefined, lacks?.shell ?? "");
  const { stdout, stderr, exitCode } = await environment.shell(text);
  assert.equal(exitCode, 0, `a script that prepares the case failed: ${stderr}`);
  return stdout;
}

/** The first character in brackets, so that the search does not find itself. */
function renderProcessCount(mark: string): string {
  const pattern = quote(`[${mark.slice(0, 1)}]${mark.slice(1)}`);
  return `for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <"$f"; echo; done 2>/dev/null | grep -c -e ${pattern} || :`;
}

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Seconds to sleep that no other case sleeps, as an argument to find its processes again by. */
export function createMark(): string {
  return String(randomInt(100_000_000, 1_000_000_000));
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lets the event loop go round. */
export async function takeTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** What a call gives and the milliseconds it took. */
export async function timed<T>(call: () => Promise<T>): Promise<{ value: T; tookMs: number }> {
  const began = performance.now();
  const value = await call();
  return { value, tookMs: performance.now() - began };
}

/** Fails unless the call is refused with one of those codes; gives the error. */
export async function assertRefusedAs(
  call: () => unknown,
  code: string | readonly string[],
  what: string,
): Promise<EngineError> {
  const outcome = await outcomeOf(async () => call());
  if (!("error" in outcome)) assert.fail(`${what} was not refused.`);
  const found = findEngineError(outcome.error);
  if (found === undefined) assert.fail(`${what}: refused without a classified error: ${messageOf(outcome.error)}`);
  const codes = (typeof code === "string" ? [code] : code).map((one) => `environment.${one}`);
  assert.ok(codes.includes(found.code), `${what}: refused with ${found.code} in place of ${codes.join(" or ")}`);
  return found;
}

/** Text as bytes. */
export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes as text; invalid UTF-8 fails. */
export function toText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
