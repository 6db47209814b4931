import { readdirSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { LocalEnvironmentOptions } from "@switchyard/environment/local";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { EnvironmentFactory, EnvironmentSetting, EnvironmentSubject } from "@switchyard/testkit";
import { makeLocalFolders } from "../environments/local-folders.ts";

/** An environment with one fault. */
export interface WrongEnvironment {
  /** Description of the fault. */
  readonly fault: string;
  /** Cases that must detect the fault, without `environment/`. */
  readonly noticedBy: readonly string[];
  /** Opens it. */
  readonly factory: EnvironmentFactory;
}

/** Milliseconds from SIGTERM to SIGKILL in these environments, shortened for the tests. */
const KILL_GRACE_MS = 300;
/** Maximum duration of a call in these environments, in milliseconds. */
const WAIT_MS = 2_000;

/** Inputs for creating a faulty environment. */
export interface Making {
  /** The environment without it. */
  readonly right: ExecutionEnvironment;
  /** Its subject. */
  readonly subject: EnvironmentSubject;
  /** The host's variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Path on this machine, determined from the text alone. */
  at(path: string): string;
}

/** Opens an environment on this machine that fulfils the contract. */
async function openRight(
  variables: Readonly<Record<string, string>>,
  options: Partial<LocalEnvironmentOptions>,
): Promise<EnvironmentSubject> {
  const { folder, root, subject } = await makeLocalFolders();
  const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
  const environment = await openLocalEnvironment({ root, env, killGraceMs: KILL_GRACE_MS, ...options });
  const dispose = async (): Promise<void> => {
    await environment[Symbol.asyncDispose]();
    endAllIn(folder);
    await subject.dispose?.();
  };
  return { ...subject, environment, dispose, killGraceMs: KILL_GRACE_MS, toleranceMs: WAIT_MS };
}

/** An environment that fulfils the contract except for some members. */
export function but(
  changes: (making: Making) => Partial<ExecutionEnvironment>,
  options: Partial<LocalEnvironmentOptions> = {},
): (setting: EnvironmentSetting) => Promise<EnvironmentSubject> {
  return async ({ variables }) => {
    const subject = await openRight(variables, options);
    const right = subject.environment;
    const at = (path: string): string => resolve(right.workingDirectory, path);
    return { ...subject, environment: altered(right, changes({ right, subject, variables, at })) };
  };
}

/** The target with some members replaced. */
export function altered<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get(original, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const member: unknown = Reflect.get(original, name, original);
      return typeof member === "function" ? member.bind(original) : member;
    },
    has: (original, name) => Object.hasOwn(changes, name) || name in original,
  });
}

/** Ends processes that faulty environments left running: those whose working folder is the given folder. */
function endAllIn(folder: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      if (pid !== process.pid && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) process.kill(pid, "SIGKILL");
    } catch {
      // The process has exited, or belongs to another user.
    }
  }
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
