import type { ExecutionEnvironment } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { acme } from "../test/acme.ts";
import { openEnvironment } from "../test/open-environment.ts";
import {
  createAdapterRegistry,
  createToolTracker,
  createUsageAccumulator,
  DEFAULT_TIMEOUTS,
  defineAdapter,
  mergeMcpServers,
  resolveLaunchTarget,
  shortenText,
  stripColours,
  truncateMiddle,
} from "./index.ts";
import { writeMcpConfig } from "./mcp/mcp-config.ts";
import { createStderrBuffer } from "./output/create-stderr-buffer.ts";
import { readLines } from "./output/read-lines.ts";

describe("kinds of adapters", () => {
  test("are looked up exactly, and an unknown one is refused with the list [adapter-registry-1] [adapter-registry-3] [adapter-registry-5]", () => {
    const registry = createAdapterRegistry([acme, { ...acme, kind: "Other" }]);
    expect(registry.get("acme")).toBe(acme);
    expect(() => registry.get("Acme")).toThrow("Known kinds: Other, acme");
    expect(createAdapterRegistry().kinds()).toEqual([]);
  });

  test("an empty or repeated kind is refused [adapter-registry-2]", () => {
    expect(() => createAdapterRegistry([acme, acme])).toThrow("another adapter has this kind");
    expect(() => createAdapterRegistry([{ ...acme, kind: " " }])).toThrow("it has no name");
  });

  test("a kind without a usual command needs one [adapter-registry-4]", () => {
    const bare = defineAdapter({
      ...{ kind: "bare", defaultCommand: "", credentials: [], readConfig: () => undefined },
      capabilities: acme.capabilities,
      create: () => acme.create({}),
    });
    expect(bare.requiresCommand).toBe(true);
    expect(() => bare.create({})).toThrow("bare.command");
    expect(bare.create({ command: "x" }).kind).toBe("acme");
  });

  test("a block is checked when the adapter is made, with everything that is wrong [adapter-passthrough-config-1] [adapter-passthrough-config-2] [adapter-passthrough-config-3]", () => {
    const wrong = { turn_timeout_ms: -1, env: "PATH", model: 3, trust_all_tools: true, trust_tools: ["read"], odd: 1 };
    const problem = "acme.env is invalid: it is not a list of texts";
    expect(() => acme.create(wrong)).toThrow(problem);
    for (const part of ["turn_timeout_ms", "model", "trust_all_tools and trust_tools exclude each other", "odd"]) {
      expect(() => acme.create(wrong)).toThrow(part);
    }
    for (const block of [undefined, null, {}]) expect(acme.create(block).kind).toBe("acme");
    expect(() => acme.create("text")).toThrow("not a block of settings");
  });

  test("changing a block afterwards changes nothing [adapter-passthrough-config-4]", () => {
    const names = ["ONE"];
    const read = acme.variableNames({ env: names });
    names.push("TWO");
    expect(read).toEqual(["ACME_API_KEY", "ONE"]);
  });

  test("the limits have their defaults [adapter-timeouts-5]", () => {
    expect(DEFAULT_TIMEOUTS).toMatchObject({ turnTimeoutMs: 3_600_000, stallTimeoutMs: 300_000, stopGraceMs: 5_000 });
  });
});

/** Returns the same environment under another name. */
function named(environment: ExecutionEnvironment, name: string): ExecutionEnvironment {
  return new Proxy(environment, {
    get(place, field) {
      if (field === "name") return name;
      const value: unknown = Reflect.get(place, field, place);
      return typeof value === "function" ? value.bind(place) : value;
    },
  });
}

describe("the launch target", () => {
  test("a configured command wins, and is split into program and leading arguments [adapter-launch-1] [adapter-launch-2] [adapter-launch-9]", async () => {
    await using place = await openEnvironment();
    const { environment } = place;
    const request = {
      environment,
      workspacePath: environment.workingDirectory,
      defaultCommand: "no-such",
      variables: {},
    };
    const target = await resolveLaunchTarget({ ...request, command: "sh -c  true" });
    expect(target).toMatchObject({ command: ["sh", "-c", "true"], isRemote: false });
    await expect(resolveLaunchTarget(request)).rejects.toMatchObject({ code: "adapter.agent_not_found" });
    const remote = { ...request, command: "sh", environment: named(environment, "ssh:host") };
    expect(await resolveLaunchTarget(remote)).toMatchObject({ isRemote: true });
  });
});

describe("tokens", () => {
  test("of one request the largest numbers count, negative ones are zero, and totals are computed [adapter-usage-3] [adapter-usage-4]", () => {
    const usage = createUsageAccumulator();
    expect([usage.isMeasured, usage.total().totalTokens]).toEqual([false, 0]);
    usage.request("a", { inputTokens: 10, outputTokens: 0 });
    usage.request("a", { inputTokens: 10, outputTokens: 5 });
    usage.request("b", { inputTokens: -7, outputTokens: 1 });
    expect(usage.total()).toMatchObject({ inputTokens: 10, outputTokens: 6, totalTokens: 16 });
    usage.turnTotal({ inputTokens: 30, outputTokens: 2 });
    expect(usage.total()).toMatchObject({ inputTokens: 30, outputTokens: 6 });
    usage.beginTurn();
    usage.request("a", { inputTokens: 1, outputTokens: 1 });
    expect(usage.total()).toMatchObject({ inputTokens: 31, outputTokens: 7, totalTokens: 38 });
  });

  test("of a growing total only this turn's increase counts, and it never decreases [adapter-usage-4]", () => {
    const usage = createUsageAccumulator();
    usage.conversationTotal({ inputTokens: 1_000, outputTokens: 100 }, { inputTokens: 50, outputTokens: 10 });
    expect(usage.total()).toMatchObject({ inputTokens: 50, outputTokens: 10 });
    usage.conversationTotal({ inputTokens: 1_070, outputTokens: 115 }, { inputTokens: 70, outputTokens: 15 });
    expect(usage.total()).toMatchObject({ inputTokens: 120, outputTokens: 25 });
    usage.conversationTotal({ inputTokens: 3, outputTokens: 1 }, {});
    expect(usage.total()).toMatchObject({ inputTokens: 120, outputTokens: 25 });
  });
});

test("the duration of tools is measured by a monotonic clock [adapter-structured-output-3]", () => {
  let now = 100;
  const tools = createToolTracker(() => now);
  tools.begin("a", "Shell");
  now = 150;
  tools.begin("b", "Read");
  now = 140;
  expect([tools.end("a"), tools.end("b"), tools.end("a")]).toEqual([
    { name: "Shell", durationMs: 40 },
    { name: "Read", durationMs: 0 },
    undefined,
  ]);
});

describe("texts", () => {
  test("truncation never splits a character [adapter-plain-output-3] [adapter-plain-output-1]", () => {
    expect(shortenText("😀".repeat(600), 500)).toBe(`${"😀".repeat(499)}…`);
    expect(shortenText("short", 500)).toBe("short");
    expect(truncateMiddle("😀".repeat(20), 11)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/u);
    expect(stripColours("\u001B[31mred\u001B[0m \u001B]0;title\u0007plain")).toBe("red plain");
  });

  test("of standard error the first and last 500 lines are kept, masked before truncation [adapter-fork-7]", () => {
    const keeper = createStderrBuffer(createMasker(["the-secret-value"]));
    const text = Array.from({ length: 1_500 }, (_, index) => `line ${index} the-secret-value`).join("\n");
    const bytes = new TextEncoder().encode(`${text}\n`);
    for (let from = 0; from < bytes.length; from += 7) keeper.write(bytes.subarray(from, from + 7));
    const lines = keeper.lines();
    expect(lines).toHaveLength(1_001);
    expect([lines[0], lines[500], lines.at(-1)]).toEqual([
      "line 0 ***REDACTED***",
      "... (500 lines discarded) ...",
      "line 1499 ***REDACTED***",
    ]);
    expect(keeper.tail(10)).toBe("EDACTED***");
  });

  test("lines are cut at any chunk, and one that is too long is passed over [adapter-fork-4]", async () => {
    const bytes = new TextEncoder().encode(`ünï\r\n${"x".repeat(50)}\nlast`);
    for (const size of [1, 3, 200]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.slice(at * size, (at + 1) * size),
      );
      const lines: unknown[] = [];
      const { signal } = new AbortController();
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = chunks.shift();
          if (next === undefined) controller.close();
          else controller.enqueue(next);
        },
      });
      await readLines(stream, { signal, maxLineBytes: 20, onLine: ({ text, isCut }) => lines.push([text[0], isCut]) });
      expect(lines).toEqual([
        ["ü", false],
        ["x", true],
        ["l", false],
      ]);
    }
  });
});

describe("MCP servers", () => {
  test("a name of the host's own is not taken by another server", () => {
    const own = { host: { url: "http://127.0.0.1:1" } };
    expect(mergeMcpServers(own, { files: { command: "x" } })).toHaveProperty("files");
    expect(() => mergeMcpServers(own, { host: { command: "x" } })).toThrow("is reserved for the host");
  });

  test("go into a folder of the session that git ignores, and that is removed with the session", async () => {
    await using place = await openEnvironment();
    const { environment } = place;
    const folder = `${environment.workingDirectory}/.mcp-config`;
    const file = await writeMcpConfig(environment, { files: { command: "x" } }, folder);
    const config: unknown = JSON.parse(await environment.readFile(file?.path ?? ""));
    expect(config).toEqual({ mcpServers: { files: { command: "x" } } });
    expect(await environment.readFile(`${folder}/.gitignore`)).toBe("*\n");
    await file?.remove();
    expect(await environment.exists(folder)).toBe(false);
    expect(await writeMcpConfig(environment, {}, folder)).toBeUndefined();
  });
});
