import { describe, expect, test } from "vitest";
import { newerToolbox, openServers, toolbox, until } from "./open-servers.ts";

describe("a server over standard streams", () => {
  test("offers its tools as server__tool and carries out calls [loop-8-1]", async () => {
    await using servers = await openServers({ box: toolbox() });
    expect(servers.connections.servers()).toEqual([{ name: "box", state: "ready", tools: 12 }]);
    const add = servers.tool("box__add");
    expect(add.definition).toMatchObject({
      description: "Adds two numbers.",
      parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a", "b"] },
    });
    const sum = await servers.call("box__add", { a: 2, b: 3 });
    expect(sum).toEqual({ content: "5", details: { structuredContent: { sum: 5 } } });
    expect((await servers.call("box__dotted_name")).content).toBe("dotted.name was called");
    expect(servers.connections.takeNotices?.()).toEqual([]);
  });

  test("its results are text, images and notes, without terminal control sequences", async () => {
    await using servers = await openServers({ box: toolbox() });
    const { content, images, isError } = await servers.call("box__mixed");
    expect(content.split("\n")).toEqual([
      "plain red",
      "[content of type audio, audio/wav]",
      "[resource file:///a.txt (text/plain)]",
      "inside",
      "[resource file:///a.bin (application/x)]",
      "[3 bytes that are not text]",
      "[link x: https://example.org/x] about x",
    ]);
    expect(images).toMatchObject([{ type: "image", mediaType: "image/png" }]);
    expect(isError).toBeUndefined();
    expect(await servers.call("box__refuse")).toEqual({ content: "it cannot be done", isError: true });
  });

  test("that speaks the newer revision of the protocol alone is spoken to in that", async () => {
    await using servers = await openServers({ box: newerToolbox() });
    expect(servers.connections.servers()).toEqual([{ name: "box", state: "ready", tools: 12 }]);
    expect((await servers.call("box__add", { a: 2, b: 3 })).content).toBe("5");
    const grown = until(servers.connections, () => servers.connections.tools().length === 13);
    await servers.call("box__grow");
    await grown;
  });

  test("is notified when a call is cancelled, and reports its progress", async () => {
    await using servers = await openServers({ box: toolbox() });
    const controller = new AbortController();
    const updates: string[] = [];
    const onUpdate = (text: string): void => {
      updates.push(text);
      controller.abort();
    };
    const output = await servers.call("box__work", {}, { signal: controller.signal, onUpdate });
    expect(output).toEqual({ content: "The call was cancelled.", isError: true });
    expect(updates).toEqual(["1/2 half\n"]);
    expect((await servers.call("box__cancelled")).content).toBe("1");
    const late = await servers.call("box__work", {}, { signal: controller.signal });
    expect(late.isError).toBe(true);
  });

  test("receives the core variables, its own variables and the workspace as its root; its requests to the user are refused", async () => {
    const env = { SHELL_TOKEN: "s3cr3t-of-the-host", PLAIN: "plain", API: "from-reference" };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains variable references.
    const own = { OWN: "value", FROM: "${API}", FALLBACK: "${MISSING:-default}" };
    const box = toolbox({ env: own });
    await using servers = await openServers({ box }, { env });
    const variables: unknown = JSON.parse((await servers.call("box__variables")).content);
    expect(variables).toMatchObject({ OWN: "value", FROM: "from-reference", FALLBACK: "default" });
    expect(Object.keys(Object(variables))).not.toContain("VITEST");
    const roots: unknown = JSON.parse((await servers.call("box__roots")).content);
    expect(roots).toMatchObject([{ uri: `file://${servers.root}`, name: "workspace" }]);
    expect((await servers.call("box__ask")).content).toMatch(/not found.*not found|not support.*not support/i);
  });

  test("that gets other tools is listed again; tools that stay are the same objects", async () => {
    await using servers = await openServers({ box: toolbox() });
    const before = servers.connections.tools();
    const grown = until(servers.connections, () => servers.connections.tools().length > before.length);
    await servers.call("box__grow");
    await grown;
    expect(servers.connections.tools().slice(0, before.length)).toEqual(before);
    expect(servers.connections.tools()[0]).toBe(before[0]);
    expect((await servers.call("box__grown")).content).toBe("grown was called");
  });

  test("that changes the description of a tool is reported as changed", async () => {
    await using servers = await openServers({ box: toolbox() });
    const revision = (): unknown =>
      servers.connections.tools().find(({ definition }) => definition.name === "box__grown")?.revision;
    await servers.call("box__grow");
    await expect.poll(revision).toMatchObject({ hasChanged: false });
    await servers.call("box__grow");
    await expect.poll(revision).toMatchObject({ hasChanged: true });
    expect(servers.tool("box__add").revision).toMatchObject({ hasChanged: false });
  });

  test("counts as read-only only if its annotation is trusted [decision 18]", async () => {
    const trusted = toolbox({ trustAnnotations: true });
    await using servers = await openServers({ plain: toolbox(), trusted });
    const effects = ["add", "store", "refuse"].map((name) => [
      servers.tool(`plain__${name}`).effects,
      servers.tool(`trusted__${name}`).effects,
    ]);
    expect(effects).toEqual([
      ["unsafe", "readonly"],
      ["unsafe", "idempotent"],
      ["unsafe", "unsafe"],
    ]);
  });

  test("offers the tools that are included and not excluded", async () => {
    const box = toolbox({ includeTools: ["a*", "*d", "*ix*", "store"], excludeTools: ["as*", "cancelled"] });
    await using servers = await openServers({ box });
    const names = servers.connections.tools().map(({ definition }) => definition.name);
    expect(names).toEqual(["box__add", "box__store", "box__mixed"]);
  });

  test("leaves no process running after it is closed, even if it does not react", async () => {
    const servers = await openServers({ box: toolbox(), again: toolbox() });
    await servers.connections[Symbol.asyncDispose]();
    expect(servers.connections.servers().map(({ state }) => state)).toEqual(["closed", "closed"]);
    expect(await servers.leftovers()).toBe(0);
    await servers[Symbol.asyncDispose]();
  });
});
