import { readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { runEngine } from "../../test/run-engine.ts";
import { script } from "../../test/script-engine.ts";
import { loadEngineConfig } from "../index.ts";
import { checkArtifacts } from "../result/check-artifacts.ts";
import { renderBody } from "../template/render-body.ts";

const KEY = "sk-the-key-of-this-run-0123456789";

test("empty or unknown values are omitted [custom-session-input-5] [custom-session-input-2]", async () => {
  await using workspace = await openWorkspace();
  const custom = script("reply({ final_message: Object.keys(input).join() })");
  const { result } = await runEngine(custom, {
    environment: workspace.environment,
    input: { case_id: "", max_turns: 0 },
  });
  expect(result?.final_message).toBe("workspace,messages");
});

test("any argument arrives byte for byte, whatever it contains [custom-local-3]", async () => {
  await using workspace = await openWorkspace();
  const argument = fc.string({
    unit: fc.constantFrom("a", " ", "'", '"', "$", "`", "\\", "\n", "\t", "*", "é", "😀", ";", "-", "{", "}", "%", "!"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { maxLength: 5 }), async (given) => {
      const args = given.map((text) => text.replaceAll(/\$\{+/g, "$"));
      const custom = {
        ...{ transport: "local", response_format: "text" },
        local: {
          command: process.execPath,
          args: ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...args],
        },
      };
      const { result } = await runEngine(custom, { environment: workspace.environment });
      expect(JSON.parse(result?.final_message ?? "")).toEqual(args);
    }),
    { numRuns: 25 },
  );
});

test("a text of the conversation is never interpreted as a template [custom-templates-13] [custom-env-refs-6]", async () => {
  await using workspace = await openWorkspace();
  const custom = {
    ...{ transport: "local", response_format: "text", env: { SAID: "${prompt}" }, kwargs: { said: "${prompt}" } },
    local: {
      command: process.execPath,
      args: ["-e", "console.log(process.argv[1], process.env.SAID)", "${kwargs.said}"],
    },
  };
  const prompt = "${api_key} ${workspace} ${NOPE}";
  const input = { messages: [{ role: "user" as const, content: prompt }] };
  const { result } = await runEngine(custom, { environment: workspace.environment, input, apiKey: KEY });
  // The variable's own value is masked in the output, like every variable's.
  expect(result?.final_message).toBe("***REDACTED*** ***REDACTED***");
  expect(await workspace.read("inputs/messages.json")).toContain(prompt);
});

test("parameters may refer to each other, up to ten levels deep and without cycles [custom-templates-9] [custom-templates-10] [custom-templates-12]", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const custom = script("reply({ final_message: JSON.stringify(input.kwargs) })", {
    kwargs: { id: "case ${case_id}", both: "${kwargs.id} and ${kwargs.none}!" },
  });
  const { result } = await runEngine(custom, { environment, input: { case_id: "7", kwargs: { own: "${case_id}" } } });
  expect(JSON.parse(result?.final_message ?? "")).toEqual({ id: "case 7", both: "case 7 and !", own: "${case_id}" });
  const circle = { ...custom, kwargs: { a: "${kwargs.b}", b: "${kwargs.a}" } };
  expect((await runEngine(circle, { environment })).error).toMatchObject({ code: "template.cycle" });
  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [`k${index}`, index === 0 ? "end" : `\${kwargs.k${index - 1}}`]),
    );
  expect((await runEngine({ ...custom, kwargs: chain(11) }, { environment })).error).toBeUndefined();
  expect((await runEngine({ ...custom, kwargs: chain(12) }, { environment })).error).toMatchObject({
    code: "template.cycle",
  });
});

test("a secret that a variable brings onto a command line is refused when it is known [custom-strict-7]", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const custom = script("reply({})", { kwargs: { note: "x" }, local: { args: ["${kwargs.note}"] } });
  for (const note of [`the key is ${KEY}`, "ghp_abcdefghijklmnopqrstuvwx"]) {
    const { error, result } = await runEngine(custom, { environment, apiKey: KEY, input: { kwargs: { note } } });
    expect(error).toMatchObject({ code: "template.secret_in_command" });
    expect(error?.message).not.toContain(note);
    expect(result).toBeUndefined();
  }
  await expect(readdir(join(workspace.root, "inputs"))).rejects.toThrow("ENOENT");
});

test("the key goes only where it is referenced; the host's variables are not passed on [custom-credentials-1] [custom-credentials-2] [custom-credentials-6]", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const body = "reply({ final_message: Object.keys(process.env).sort().join() })";
  const plain = await runEngine(script(body, { env: { MODE: "x" } }), { environment, apiKey: KEY });
  const names = (plain.result?.final_message ?? "").split(",");
  expect(names).toContain("MODE");
  expect(names).toContain("PATH");
  expect(names.filter((name) => /KEY|TOKEN|VITEST/.test(name))).toEqual([]);
  const text = await workspace.read("inputs/messages.json");
  expect(text).not.toContain(KEY);
  const keyed = await runEngine(
    script("reply({ final_message: String(process.env.K.length) })", { env: { K: "${api_key}" } }),
    { environment, apiKey: KEY },
  );
  expect(keyed.result?.final_message).toBe(String(KEY.length));
});

test("structures are structures in a body, and texts elsewhere [custom-templates-3] [custom-templates-4]", async () => {
  await using workspace = await openWorkspace();
  const program =
    "const [m, k] = [process.env.M, process.env.K].map((text) => JSON.parse(text)); reply({ final_message: m[0].role + k.a })";
  const env = { M: "${messages_json}", K: "${kwargs_json}" };
  const { result } = await runEngine(script(program, { kwargs: { a: "1" }, env }), {
    environment: workspace.environment,
  });
  expect(result?.final_message).toBe("user1");
  const body = {
    all: "${session_input}",
    said: "${messages}",
    set: "${kwargs}",
    text: "id: ${case_id}",
    n: 3,
    "${case_id}": null,
  };
  const { custom: http } = loadEngineConfig(
    { name: "x", custom: { transport: "http", http: { url: "http://x", request_body: body } } },
    { env: {} },
  );
  if (http?.transport.transport !== "http" || http.transport.body === undefined) throw new Error("There is no body.");
  const structures = { session_input: { messages: [1] }, messages: [1], kwargs: { a: "1" } };
  expect(renderBody(http.transport.body, { texts: { case_id: "7" }, kwargs: {}, structures })).toEqual({
    ...{ all: { messages: [1] }, said: [1], set: { a: "1" }, text: "id: 7", n: 3, "${case_id}": null },
  });
});

test("base64 is judged by its estimate, and near the limit by its bytes [custom-result-bounds-3]", () => {
  const file = (content_base64: string) => ({ files: [{ name: "a", content_base64 }] });
  const limit = 50 * 1024 * 1024;
  const exact = Buffer.alloc(limit).toString("base64");
  // With line breaks the estimate is too high. The decoded size is used.
  expect(() => checkArtifacts(file(exact.replace(/.{76}/g, "$&\n")))).not.toThrow();
  expect(() => checkArtifacts(file(Buffer.alloc(limit + 1).toString("base64")))).toThrow("exceeds per-file limit");
});

test("a workspace that is reached through a link is one workspace [custom-confinement-2] [custom-confinement-8]", async () => {
  await using workspace = await openWorkspace();
  const alias = `${workspace.root}-alias`;
  await symlink(workspace.root, alias);
  onTestFinished(() => rm(alias));
  await using environment = await openLocalEnvironment({ root: alias, env: process.env });
  for (const root of [workspace.root, alias]) {
    const local = { input_file: `${root}/in.json`, output_file: `${root}/out.json` };
    const custom = script(
      `reply({ final_message: "ok", artifacts: { generated_files: [${JSON.stringify(`${root}/a.md`)}] } })`,
      { local },
    );
    const { result, error } = await runEngine(custom, { environment });
    expect([root, error?.message, result?.final_message, result?.artifacts?.generated_files]).toEqual([
      root,
      undefined,
      "ok",
      [`${root}/a.md`],
    ]);
  }
});

test("a command leads its own process group, which ends with it [custom-process-1] [custom-process-5]", async () => {
  await using workspace = await openWorkspace();
  const custom = script(
    `const child = require("node:child_process").spawn("sleep", ["600"], { stdio: "ignore" });
     child.unref();
     const group = fs.readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ")[2];
     reply({ final_message: [process.pid, group, child.pid].join() }); process.exit(0);`,
  );
  const { result } = await runEngine(custom, { environment: workspace.environment });
  const [pid, group, child] = (result?.final_message ?? "").split(",");
  expect(group).toBe(pid);
  expect(await readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "")).toBe("");
});

test("a file that is not configured is not touched [custom-local-9] [custom-local-6]", async () => {
  const old = '{"exit_code":0,"final_message":"old"}';
  await using workspace = await openWorkspace({ "outputs/session-result.json": old });
  const custom = script('console.log(JSON.stringify({ exit_code: 0, final_message: "new" }))', {
    local: { output_file: undefined },
  });
  const { result } = await runEngine(custom, { environment: workspace.environment });
  expect(result?.final_message).toBe("new");
  expect(await workspace.read("outputs/session-result.json")).toBe(old);
});

test("a result file may be larger than the environment's limit for one read [custom-local-6] [custom-result-bounds-6]", async () => {
  await using workspace = await openWorkspace();
  await using environment = await openLocalEnvironment({ root: workspace.root, maxReadBytes: 4 * 1024 * 1024 });
  // Characters that cross the boundaries of the windows in which the output is read.
  const message = "é".repeat(3 * 1024 * 1024);
  const custom = script('reply({ engine: "a", final_message: "é".repeat(3 * 1024 * 1024) })');
  const { result, error } = await runEngine(custom, { environment });
  expect([error, result?.final_message === message]).toEqual([undefined, true]);
});
