import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { onTestFinished } from "vitest";
import { makeFolders } from "../sandbox/open-sandbox.ts";

/** API key in the variables of the host and of a process next to the environment. */
const CANARY = "sk-canary-0123456789abcdefghij";

/** Variables of the host, which contain an API key. */
export const KEY_VARIABLES = { ANTHROPIC_API_KEY: CANARY } as const;

/** Questions of the page "What an agent can reach", and whether a command reaches what is asked. */
export type Reach = Readonly<Record<string, boolean>>;

interface ReachTable {
  readonly environments: readonly { readonly id: string; readonly isMeasured: boolean }[];
  readonly questions: readonly {
    readonly id: string;
    readonly answers: Readonly<Record<string, { readonly isReached: boolean }>>;
  }[];
}

/** Answers from which the page "What an agent can reach" is generated. */
export const REACH_TABLE: ReachTable = JSON.parse(readFileSync(join(import.meta.dirname, "reach.json"), "utf8"));

/** Returns the answers of the page for an environment. */
export function documentedReach(environment: string): Reach {
  return Object.fromEntries(
    REACH_TABLE.questions.map(({ id, answers }) => [id, answers[environment]?.isReached === true]),
  );
}

/** Folders of this machine, and a process and a server on it that do not belong to the environment. */
export interface Surroundings {
  /** Workspace for the environment. */
  readonly root: string;
  /** Home folder of the user. */
  readonly home: string;
  /** Folder outside the workspace. */
  readonly outside: string;
  readonly pid: number;
  readonly port: number;
}

/** Creates what commands of an environment may reach. Everything is removed when the test ends. */
export async function createSurroundings(): Promise<Surroundings> {
  const folders = makeFolders();
  mkdirSync(join(folders.home, ".ssh"));
  writeFileSync(join(folders.home, ".ssh/id_test"), "SECRET\n");
  const victim = spawn("sleep", ["300"], { stdio: "ignore", env: { PATH: process.env["PATH"], ...KEY_VARIABLES } });
  await once(victim, "spawn");
  const server = createServer((socket) => socket.end("SECRET\n")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    victim.kill("SIGKILL");
    server.close();
  });
  const address = server.address();
  return { ...folders, pid: victim.pid ?? 0, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}

/** Tries to reach everything that the page asks about, with commands of an environment. */
export async function measureReach(
  environment: ExecutionEnvironment,
  { home, outside, pid, port }: Surroundings,
): Promise<Reach> {
  const prints = async (script: string, expected: string): Promise<boolean> => {
    const { stdout } = await environment.shell(script);
    return stdout.includes(expected);
  };
  const connect = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3' || nc -w 2 127.0.0.1 ${port} </dev/null`;
  const hasKey = await prints("env", CANARY);
  const isConnected = await prints(connect, "SECRET");
  // An interface other than loopback leads to other machines.
  const hasInterface = await prints("grep -v lo: /proc/net/dev", ":");
  await environment.shell(`echo changed > '${outside}/new'`);
  return {
    "other-files": await prints(`cat '${outside}/secret.txt'`, "SECRET"),
    "credential-files": await prints(`cat '${home}/.ssh/id_test'`, "SECRET"),
    "changed-files": existsSync(join(outside, "new")),
    network: isConnected || hasInterface,
    "key-variable": hasKey,
    "process-variables": await prints(`cat /proc/${pid}/environ`, CANARY),
    signals: await prints(`tr '\\0' ' ' < /proc/${pid}/cmdline && kill -0 ${pid} && echo alive`, "sleep 300 alive"),
  };
}
