import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AdapterKind } from "@switchyard/adapter-kit";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import type { AdapterFactory, ReceivedTurn } from "@switchyard/testkit";

const PROGRAM = fileURLToPath(new URL("../../../../fixtures/scripted-agent/scripted-agent.mjs", import.meta.url));

interface Noted extends ReceivedTurn {
  readonly hangs?: number;
  readonly child?: number;
}

function notedIn(folder: string): Noted[] {
  try {
    const lines = readFileSync(join(folder, "received.jsonl"), "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Runs a scripted command through an adapter of the given kind. */
export function adapterFactory(kind: AdapterKind, dialect: string): AdapterFactory {
  return async ({ turns, config, variables }) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-adapter-")));
    const root = join(folder, "workspace");
    await mkdir(root);
    await writeFile(join(folder, "script.json"), JSON.stringify(turns));
    const environment = await openLocalEnvironment({ root, env: process.env });
    const command = [process.execPath, PROGRAM, dialect, folder];
    const values = Object.entries({ ...variables, COPILOT_HOME: join(folder, "home") }).map(
      ([name, value]) => [name, secret(value)] as const,
    );
    const adapter = kind.create({ command, ...config }, { variables: Object.fromEntries(values) });
    const pids = (): number[] =>
      notedIn(folder).flatMap(({ pid, child }) => [pid, child].filter((one) => one !== undefined));
    return {
      ...{ adapter, environment },
      received: () => notedIn(folder).filter(({ args }) => args !== undefined),
      survivors: async () => pids().filter(isAlive),
      async whenHanging() {
        const until = performance.now() + 120_000;
        while (!notedIn(folder).some(({ hangs }) => hangs !== undefined)) {
          if (performance.now() > until) throw new Error("The agent did not reach the step that hangs.");
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
      async dispose() {
        for (const pid of pids().filter(isAlive)) process.kill(pid, "SIGKILL");
        await environment[Symbol.asyncDispose]();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
}
