import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { inTurn, say, startChat } from "./chat-screen.ts";
import { answerCall } from "./loopback-model.ts";
import { makeFolder } from "./start-switchyard.ts";
import { noTmux } from "./tmux.ts";

const missing = await noTmux();
const SERVER = resolve(import.meta.dirname, "fixtures/scripted-mcp-server.mjs");
/** Time that the server takes to start, in milliseconds. */
const LATE_MS = 1_500;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("an interactive session with MCP servers", () => {
  beforeEach(({ skip }) => {
    skip(missing !== undefined, missing);
  });

  test("starts them once for all turns and modes, again after a server died, and stops them at its end", async () => {
    const script = { tools: [{ name: "probe", description: "Probes." }], lateMs: LATE_MS, starts: "starts.log" };
    const servers = { demo: { command: process.execPath, args: [SERVER, JSON.stringify(script)] } };
    const config = join(await makeFolder({ "mcp.json": JSON.stringify({ mcpServers: servers }) }), "mcp.json");
    const call = answerCall("demo__probe", {});
    const answers = [1, 2, 3, 4].flatMap((turn) => [call, say(`wer ${turn}.`)]);
    const words = ["--mode", "auto", "--mcp-config", config];
    const { screen, send, cwd, bodies } = await startChat(inTurn(...answers), { words });
    const pids = async (): Promise<number[]> =>
      (await readFile(join(cwd, "starts.log"), "utf8")).trim().split("\n").map(Number);
    const turn = async (number: number): Promise<void> => {
      await send(`Turn ${number}`);
      await screen.until(`Half an answer ${number}.`);
      await screen.until(new RegExp(`Half an answer ${number}\\.\\n(?:.*\\n)*?Done [^\\n]*\\n(?:.*\\n)*?\\n› Ask`));
      expect(bodies.at(-1)?.split("probe was called")).toHaveLength(number + 1);
    };
    await turn(1);
    await turn(2);
    await send("/mode ask");
    await screen.until("Mode: ask");
    await send("/mode auto");
    await screen.until("Mode: auto");
    await turn(3);
    const [pid = 0, ...others] = await pids();
    expect(others).toEqual([]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
    await turn(4);
    const last = (await pids()).at(-1) ?? 0;
    expect(last).not.toBe(pid);
    await send("/quit");
    expect(await screen.ended()).toBe(0);
    await expect.poll(() => isAlive(last)).toBe(false);
  });
});
