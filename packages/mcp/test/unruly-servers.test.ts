import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Timer } from "../src/index.ts";
import { failureOf, openServers, toolbox, unruly, until } from "./open-servers.ts";

const PATIENT = { startMs: 60_000, listMs: 60_000 };

/** Creates a timer whose waits end when the test calls a function. */
function manualTimer() {
  const pauses: number[] = [];
  let end = (): void => {};
  let begun = gate();
  const timer: Timer = {
    sleep: (durationMs, signal) =>
      new Promise((resolve) => {
        pauses.push(durationMs);
        end = resolve;
        signal?.addEventListener("abort", () => resolve(), { once: true });
        begun.open();
      }),
  };
  return {
    timer,
    pauses,
    /** Resolves when the timer is waiting. */
    waits: () => begun.opened,
    pass(): void {
      begun = gate();
      end();
    },
  };
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("a server that does not start", () => {
  test("has failed at its time limit, and does not delay the others", async () => {
    const hanging = unruly("hangs_at_start", { timeouts: { startMs: 300 } });
    // Pauses before a restart do not end, because a start may take longer than a pause.
    await using servers = await openServers({ hanging, box: toolbox() }, { timer: manualTimer().timer });
    const problem = "The MCP server sent an invalid message: it did not complete its initialization within 300 ms";
    expect(servers.connections.servers()).toEqual([
      { name: "hanging", state: "failed", problem, tools: 0 },
      { name: "box", state: "ready", tools: 12 },
    ]);
    const [notice] = servers.connections.takeNotices?.() ?? [];
    expect(notice?.message).toBe(`The MCP server hanging failed: ${problem}`);
    expect(servers.connections.takeNotices?.()).toEqual([]);
    await servers.connections[Symbol.asyncDispose]();
    expect(await servers.leftovers()).toBe(0);
  });

  test("does not delay its caller: its tools appear when it is ready", async () => {
    const startedMs = performance.now();
    await using servers = await openServers(
      { slow: unruly("hangs_at_start", { timeouts: PATIENT }), box: toolbox() },
      { startWaitMs: 0 },
    );
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(servers.connections.servers().map(({ state }) => state)).toEqual(["connecting", "connecting"]);
    expect(servers.connections.tools()).toEqual([]);
    await until(servers.connections, () => servers.connections.tools().length > 0);
    expect(servers.tool("box__add")).toBeDefined();
  });

  test("reports the reason: its last output, and how it ended", async () => {
    const missing = { command: "no-such-program-anywhere" };
    await using servers = await openServers({ dead: unruly("dies_at_start"), missing });
    const [dead, gone] = servers.connections.servers();
    expect(dead?.problem).toBe("it ended with exit code 5; it printed: no licence");
    expect(gone?.problem).toMatch(/no-such-program-anywhere/);
    expect([dead?.state, gone?.state]).toEqual(["failed", "failed"]);
  });

  test("closes immediately while it is starting", async () => {
    const servers = await openServers({ a: unruly("hangs_at_start"), b: unruly("hangs_at_list") }, { startWaitMs: 0 });
    await servers.connections[Symbol.asyncDispose]();
    expect(await servers.leftovers()).toBe(0);
    await servers[Symbol.asyncDispose]();
  });

  test.each([
    ["hangs_at_list", /timed? ?out|timeout/i],
    ["no_list", /response is not a list of tools/],
    ["closes_output", /closed its standard output/],
  ])("or talks nonsense instead (%s) has failed, and is ended", async (fault, problem) => {
    const timeouts = { startMs: 10_000, listMs: 500 };
    await using servers = await openServers({ bad: unruly(fault, { timeouts }) }, { maxMessageBytes: 100_000 });
    expect(servers.connections.servers()).toMatchObject([{ state: "failed", problem: expect.stringMatching(problem) }]);
    await servers.connections[Symbol.asyncDispose]();
    expect(await servers.leftovers()).toBe(0);
  });

  test("and floods its output is ended", async () => {
    await using servers = await openServers({ bad: unruly("floods") }, { maxMessageBytes: 100_000 });
    const status = () => servers.connections.servers()[0];
    await until(servers.connections, () => status()?.state === "failed");
    expect(status()?.problem).toBe("it prints too much text on standard output that is not a message");
    await servers.connections[Symbol.asyncDispose]();
    expect(await servers.leftovers()).toBe(0);
  });

  test("and asks without reading an answer is ended", async () => {
    await using servers = await openServers({ bad: unruly("asks_only") }, { maxMessageBytes: 100_000 });
    const status = () => servers.connections.servers()[0];
    await until(servers.connections, () => status()?.state === "failed");
    expect(status()?.problem).toBe("it does not read its standard input");
    await servers.connections[Symbol.asyncDispose]();
    expect(await servers.leftovers()).toBe(0);
  });

  test("is not waited for when its signal has fired", async () => {
    const signal = AbortSignal.abort();
    await using servers = await openServers({ box: toolbox() }, { signal });
    expect(servers.connections.servers()).toEqual([{ name: "box", state: "closed", tools: 0 }]);
  });
});

describe("the list of tools of a server", () => {
  test("is cleaned and bounded; unusable tools are omitted with a warning", async () => {
    await using servers = await openServers({ bad: unruly("bad_tools") });
    const tools = servers.connections.tools().map(({ definition }) => definition);
    expect(tools.map(({ name }) => name)).toEqual([
      "bad__good",
      "bad__untyped",
      "bad__schemaless",
      "bad________etc_passwd_",
      expect.stringMatching(/^bad__n{50}_[0-9a-f]{8}$/),
    ]);
    expect(tools.every(({ name, parameters }) => name.length <= 64 && parameters["type"] === "object")).toBe(true);
    expect(tools[0]?.parameters).toEqual({ type: "object", properties: { a: { description: "xy" } } });
    expect(tools[1]?.description.length).toBeLessThan(4_200);
    const warnings = (servers.connections.takeNotices?.() ?? []).map(({ message }) =>
      message.replace("MCP server bad: ", ""),
    );
    expect(warnings).toEqual([
      "The tool good is listed twice; the first one is offered.",
      "The tool array was left out: the root of its schema is not an object.",
      "The tool huge was left out: its schema is longer than 65536 characters.",
      "The tool deep was left out: its schema has more than 64 levels.",
      "A tool was left out: it has no name of a usable length.",
      "A tool was left out, because it is not an object.",
    ]);
    expect((await servers.call("bad________etc_passwd_")).content).toMatch(/^answered/);
  });

  test("has an end", async () => {
    await using servers = await openServers({ many: unruly("many"), endless: unruly("endless_list") });
    expect(servers.connections.servers()).toMatchObject([
      { state: "ready", tools: 256 },
      { state: "ready", tools: 0 },
    ]);
    // Sorted: two servers, two processes, and either may list its tools first.
    expect((servers.connections.takeNotices?.() ?? []).map(({ message }) => message).sort()).toEqual([
      "MCP server endless: Only the first 0 tools of its list were read; the rest is not offered.",
      "MCP server many: Only the first 256 tools are offered.",
    ]);
  });

  test("may have garbage before it", async () => {
    await using servers = await openServers({ chatty: unruly("prints_garbage") });
    expect((await servers.call("chatty__probe")).content).toMatch(/^answered/);
  });
});

describe("a call", () => {
  test("without an answer is an error at its time limit; the next call continues", async () => {
    await using servers = await openServers({ mute: unruly("never_answers", { timeouts: { callMs: 200 } }) });
    const failure = await failureOf(servers.call("mute__probe"));
    expect(failure.code).toBe("mcp.timeout");
    expect(failure.message).toBe("The MCP server mute did not respond to the call of probe within 200 ms.");
    expect(servers.connections.servers()).toMatchObject([{ state: "ready" }]);
  });

  test("of a server that dies is an error with its last output; its tools stay, and it is restarted", async () => {
    await using servers = await openServers({ mortal: unruly("dies_mid_call") });
    const failure = await failureOf(servers.call("mortal__probe"));
    expect(failure.code).toBe("mcp.unavailable");
    expect(failure.message).toMatch(/: it ended with exit code 3; it printed: out of ideas$/);
    expect(servers.tool("mortal__probe")).toBeDefined();
    await until(servers.connections, () => servers.connections.servers()[0]?.state === "ready");
  });

  test("of a dead server restarts it immediately", async () => {
    await using servers = await openServers((root) => ({ phoenix: unruly("dies_once", {}, join(root, "died")) }));
    expect((await failureOf(servers.call("phoenix__probe"))).code).toBe("mcp.unavailable");
    expect((await servers.call("phoenix__probe")).content).toMatch(/^answered by \d+$/);
  });

  test("of a server that is closed is an error", async () => {
    await using servers = await openServers({ box: toolbox() });
    await servers.connections[Symbol.asyncDispose]();
    expect((await failureOf(servers.call("box__add"))).message).toMatch(/is not available: it is closed/);
  });

  test("with an answer that is too large is an error; the server continues", async () => {
    await using servers = await openServers({ large: unruly("huge_answer") }, { maxMessageBytes: 100_000 });
    const failure = await failureOf(servers.call("large__probe"));
    expect(failure.code).toBe("mcp.call_failed");
    expect(failure.message).toMatch(/more than 100000 bytes, which was discarded$/);
    expect(servers.connections.servers()).toMatchObject([{ state: "ready" }]);
  });

  test("that is refused is an error with the server's text, without terminal control sequences", async () => {
    await using servers = await openServers({ strict: unruly("refuses"), odd: unruly("no_result") });
    expect(await failureOf(servers.call("strict__probe"))).toMatchObject({
      code: "mcp.call_failed",
      message: expect.stringMatching(/failed to execute probe: .*bad arguments$/),
    });
    expect((await failureOf(servers.call("odd__probe"))).message).toMatch(/its response is malformed$/);
  });

  test("that fails shows no secret of the configuration", async () => {
    const env = { BOX_TOKEN: "t0ps3cr3t-value-of-the-box" };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains a variable reference.
    const box = toolbox({ env: { TOOLBOX_TOKEN: "${BOX_TOKEN}" } });
    await using servers = await openServers({ box }, { env });
    const { message } = await failureOf(servers.call("box__die"));
    expect(message).toMatch(/exit code 7; it printed: dying with the token \*\*\*REDACTED\*\*\*$/);
  });
});

test("a server that ends neither with its input nor at the first signal is ended all the same", async () => {
  const servers = await openServers({ stubborn: unruly("stubborn") });
  expect(servers.connections.servers()).toMatchObject([{ state: "ready" }]);
  await servers.connections[Symbol.asyncDispose]();
  expect(await servers.leftovers()).toBe(0);
  await servers[Symbol.asyncDispose]();
});

test("a server that cannot be started is tried again ever more rarely, and at last only for a call", async () => {
  const { timer, pauses, waits, pass } = manualTimer();
  await using servers = await openServers({ dead: unruly("dies_at_start") }, { timer });
  const { connections } = servers;
  let failures = 1;
  connections.onChange(() => {
    if (connections.servers()[0]?.state === "failed") failures++;
  });
  const notices = (): number => (connections.takeNotices?.() ?? []).length;
  for (let attempt = 1; attempt <= 4; attempt++) {
    await waits();
    pass();
    await until(connections, () => failures > attempt);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(notices()).toBe(5);
});
