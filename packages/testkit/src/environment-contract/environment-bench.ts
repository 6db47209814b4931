import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { type EngineError, type ExecutionEnvironment, findEngineError, messageOf } from "@switchyard/contracts";
import { applies } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import type { EnvironmentAbility, EnvironmentFactory, EnvironmentSubject } from "./environment-subject.ts";

const CALL_TOLERANCE_MS = 5_000;
const KILL_GRACE_MS = 2_000;
const POLL_MS = 25;

/**
 * The host's environment variables in every conformance case: ordinary variables, variables with the name of a secret,
 * and a variable with the value of a secret.
 */
export const HOST_VARIABLES: Readonly<Record<string, string>> = {
  CONTRACT_PLAIN: "plain value",
  CONTRACT_OTHER: "other value",
  contract_api_key: "named like a secret",
  CONTRACT_DB_PASSWORD: "named like a secret too",
  CONTRACT_HARMLESS: `ghp_${"a1B2c3D4e5F6".repeat(3)}`,
  LANG: "C.UTF-8",
};

/** The environment under test, and helper functions for the conformance cases. */
export interface EnvironmentBench {
  /** Environment under test. */
  readonly environment: ExecutionEnvironment;
  /** Tolerance for the duration of one call, in milliseconds, in addition to the wait that the call requests. */
  readonly toleranceMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** Skips the conformance case if the environment lacks one of the given features. */
  needs(...abilities: readonly EnvironmentAbility[]): void;
  /** Writes files into the workspace. */
  writeFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /**
   * Runs a script outside the environment if possible, otherwise in the environment's shell. Resolves with the output.
   */
  script(text: string): Promise<string>;
  /**
   * Returns the path of a folder next to the workspace. Skips the conformance case if the environment provides none.
   */
  outside(): string;
  /** Asserts that the folder outside the workspace is unchanged. */
  assertOutsideUntouched(): Promise<void>;
  /**
   * Resolves with the number of living processes whose command line contains a text. The text is a unique number
   * created by `createMark`.
   */
  countProcesses(mark: string): Promise<number>;
  /** Asserts that after a short time, no process is left whose command line contains a text. */
  assertNoProcesses(mark: string): Promise<void>;
  /** Creates a socket in the workspace. Skips the conformance case if that is not possible. */
  makeSocket(path: string): Promise<void>;
  /** Releases the environment and its resources. */
  dispose(): Promise<void>;
}

/** Opens a test bench for the environment that a factory creates. */
export async function openEnvironmentBench(factory: EnvironmentFactory): Promise<EnvironmentBench> {
  const created = await factory({ variables: HOST_VARIABLES });
  return createBench("environment" in created ? created : { environment: created });
}

function createBench(subject: EnvironmentSubject): EnvironmentBench {
  const { environment, lacks = {} } = subject;
  const needs = (...abilities: readonly EnvironmentAbility[]): void => {
    for (const ability of abilities) applies(lacks[ability] === undefined, lacks[ability] ?? "");
  };
  const script = (text: string): Promise<string> => runScript(subject, text);
  const outside = (): string => {
    needs("outside");
    applies(subject.outside, "the subject provides no folder outside the workspace");
    return subject.outside;
  };
  const countProcesses = async (mark: string): Promise<number> => {
    if (subject.countProcesses !== undefined) return subject.countProcesses(mark);
    needs("host");
    applies(subject.host, "the subject cannot count processes");
    return Number(await subject.host(renderProcessCount(mark)));
  };
  return {
    environment,
    toleranceMs: subject.toleranceMs ?? CALL_TOLERANCE_MS,
    killGraceMs: subject.killGraceMs ?? KILL_GRACE_MS,
    needs,
    script,
    outside,
    countProcesses,
    async writeFiles(files) {
      const writer = subject.writer ?? environment;
      for (const [path, content] of Object.entries(files)) await writer.writeFile(path, content);
    },
    async assertOutsideUntouched() {
      const found = await script(`cd ${quoteArgument(outside())} && ls -A && cat secret.txt`);
      assert.equal(found, "secret.txt\nSECRET\n", "the folder outside the workspace was changed");
    },
    async assertNoProcesses(mark) {
      const deadline = performance.now() + 1_000;
      let remaining = await countProcesses(mark);
      while (remaining > 0 && performance.now() < deadline) {
        await pause(POLL_MS);
        remaining = await countProcesses(mark);
      }
      assert.equal(remaining, 0, `processes left running: ${remaining}`);
    },
    async makeSocket(path) {
      needs("sockets");
      applies(subject.makeSocket, "the subject cannot create sockets");
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

/**
 * Returns a script that counts processes by a text in their command line. The first character of the text is put in
 * brackets, so that the script does not count itself.
 */
function renderProcessCount(mark: string): string {
  const pattern = quoteArgument(`[${mark.slice(0, 1)}]${mark.slice(1)}`);
  return `for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <"$f"; echo; done 2>/dev/null | grep -c -e ${pattern} || :`;
}

/** Quotes a text as one word for a POSIX shell. */
export function quoteArgument(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a unique number of seconds to sleep, which identifies the processes of a conformance case. */
export function createMark(): string {
  return String(randomInt(100_000_000, 1_000_000_000));
}

/** Waits for a number of milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits for a number of event loop turns. */
export async function takeTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves with the value of a call and its duration in milliseconds. */
export async function timed<T>(call: () => Promise<T>): Promise<{ value: T; durationMs: number }> {
  const began = performance.now();
  const value = await call();
  return { value, durationMs: performance.now() - began };
}

/** Asserts that a call is rejected with one of the given codes. Returns the error. */
export async function assertRefusedAs(
  call: () => unknown,
  code: string | readonly string[],
  label: string,
): Promise<EngineError> {
  const outcome = await outcomeOf(async () => call());
  if (!("error" in outcome)) assert.fail(`${label} was not rejected.`);
  const found = findEngineError(outcome.error);
  if (found === undefined) assert.fail(`${label}: rejected with an unclassified error: ${messageOf(outcome.error)}`);
  const codes = (typeof code === "string" ? [code] : code).map((one) => `environment.${one}`);
  assert.ok(codes.includes(found.code), `${label}: rejected with ${found.code} instead of ${codes.join(" or ")}`);
  return found;
}

/** Encodes a text as UTF-8. */
export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Decodes bytes as UTF-8. Throws if the bytes are not valid UTF-8. */
export function toText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
