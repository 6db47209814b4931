import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { SshEnvironmentOptions } from "@switchyard/environment/ssh";
import { openSshEnvironment } from "@switchyard/environment/ssh";
import { onTestFinished, type TestContext } from "vitest";
import type { TestSshd } from "./test-sshd.ts";
import { startTestSshd } from "./test-sshd.ts";

/** A machine that tests may do anything to. */
export interface TestMachine {
  readonly sshd: TestSshd;
  readonly root: string;
  /** Options for opening an environment on the machine. */
  readonly options: SshEnvironmentOptions;
  /** Opens one more, which is disposed of after the test. */
  open(more?: Partial<SshEnvironmentOptions>): Promise<ExecutionEnvironment>;
}

/** Starts a server for one test. Skips the test if that is not possible. */
export async function openMachine(skip: TestContext["skip"], settings: readonly string[] = []): Promise<TestMachine> {
  const sshd = await startTestSshd(settings);
  if (typeof sshd === "string") return skip(sshd);
  const root = mkdtempSync(join(tmpdir(), "environment-ssh-"));
  onTestFinished(async () => {
    await sshd.stop();
    rmSync(root, { recursive: true, force: true });
  });
  const options: SshEnvironmentOptions = {
    host: "testhost",
    configFile: sshd.configFile,
    workingDirectory: root,
    hostEnv: { PATH: process.env["PATH"], HOME: sshd.folder },
  };
  return {
    sshd,
    root,
    options,
    async open(more) {
      const environment = await openSshEnvironment({ ...options, ...more });
      onTestFinished(() => environment[Symbol.asyncDispose]());
      return environment;
    },
  };
}

/** Waits until a condition is true, at most for the given time. Returns whether it is true. */
export async function holdsWithin(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
