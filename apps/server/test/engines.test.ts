import { Buffer } from "node:buffer";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Engine, SessionInput, SessionReport } from "@switchyard/contracts";
import { runSession } from "@switchyard/runner";
import { expect, test } from "vitest";
import { answering, ask, commandEngine, customEngine, DONE, makeFolder, openServer, post } from "./open-server.ts";

const FIXTURES = resolve(import.meta.dirname, "../../../fixtures/engines");
const SECRET = "the-key-of-nobody-0123456789";

// Simulated agent that fills all fields of a result and lists all files that it finds.
const AGENT = `
const fs = require("node:fs");
const [inputFile, outputFile] = process.argv.slice(2);
const input = JSON.parse(fs.readFileSync(inputFile, "utf8"));
const found = fs.readdirSync(".", { recursive: true })
  .filter((path) => fs.statSync(path).isFile() && !path.startsWith("inputs/")).sort()
  .map((path) => path + " " + fs.readFileSync(path).toString("base64"));
fs.mkdirSync("out", { recursive: true });
fs.writeFileSync("out/report.md", "# Report ü\\n");
fs.writeFileSync("out/image.png", Buffer.from([0, 255, 1, 137]));
fs.writeFileSync("out/empty", "");
const { workspace, ...said } = input;
const result = {
  exit_code: 0, final_message: JSON.stringify({ said, found }), turns: 3, input_tokens: 1200, output_tokens: 450,
  stderr: "diagnostics", session_id: "s-1",
  transcript: [
    ...input.messages,
    { role: "assistant", content: "", turn: 1, tool_calls: [{ id: "c", name: "read", arguments: "{}" }] },
    { role: "tool", content: "x", tool_result: { call_id: "c", status: "ok", content: "x", duration_ms: 3 } },
    { role: "assistant", content: "done", turn: 2 },
  ],
  artifacts: {
    workspace_diff: "diff --git a b", logs: "agent logs",
    generated_files: ["out/report.md", "out/empty"],
    files: [
      { name: "image.png", path: "out/image.png", content_type: "image/png" },
      { name: "summary.json", content: "{}", content_type: "application/json" },
    ],
  },
};
fs.writeFileSync(outputFile, JSON.stringify(result));
`;

const INPUT: SessionInput = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "First." },
    { role: "assistant", content: "Done." },
    { role: "user", content: "Second: \u0000 ü \ud83d\ude80" },
  ],
  case_id: "c-1",
  variant: "with_skill",
  model: "acme/large",
  kwargs: { profile: "strict" },
  max_turns: 12,
  timeout_seconds: 60,
};

const FILES: Readonly<Record<string, Uint8Array>> = {
  "diff.patch": Buffer.from("diff\r\n--boundary\r\n"),
  "src/deep/größe.txt": Buffer.from("ü"),
  'src/"quoted" name.txt': Buffer.from("q"),
  "src/empty": Buffer.alloc(0),
  "image.bin": Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 31) % 256)),
};

async function makeAgent(): Promise<Engine> {
  const script = join(await makeFolder(), "agent.cjs");
  await writeFile(script, AGENT);
  return commandEngine(script);
}

async function makeWorkspace(): Promise<string> {
  const folder = await makeFolder();
  for (const [path, bytes] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

async function run(engine: Engine, root: string): Promise<SessionReport> {
  return runSession(INPUT, {
    ...{ engine, engineName: "served", stateDirectory: await makeFolder() },
    environment: { type: "local", root, env: process.env },
  });
}

/** Returns the archived artifacts, independent of where they were declared. */
async function archiveOf({ artifacts, runFolder = "" }: SessionReport): Promise<unknown[]> {
  return Promise.all(
    artifacts.map(async ({ name, path = "", contentType, bytes }) => {
      const content = await readFile(join(runFolder, "artifacts", path), "base64");
      return { name, contentType, bytes, content };
    }),
  );
}

function resultOf({ result }: SessionReport): unknown {
  // The duration is not part of the contract, and artifacts are declared in different fields.
  const { duration_ms, artifacts, ...rest } = result ?? DONE;
  const { generated_files, files, ...texts } = artifacts ?? {};
  return { ...rest, texts };
}

for (const files of [undefined, [{ path: "**/*" }]]) {
  const title = files === undefined ? "as JSON" : "as a form with files";
  test(`an engine on a server gives the same result as locally, ${title} [custom-session-input-10]`, async () => {
    const direct = await run(await makeAgent(), files === undefined ? await makeFolder() : await makeWorkspace());
    const server = await openServer(await makeAgent());
    const http = { url: `${server.url}/v1/run`, ...(files === undefined ? {} : { files }) };
    const remote = await run(await customEngine({ transport: "http", http }), await makeWorkspace());
    expect([direct.error, remote.error]).toEqual([undefined, undefined]);
    expect(direct).toMatchObject({ status: "completed", result: { input_tokens: 1200, output_tokens: 450, turns: 3 } });
    expect(remote.status).toBe("completed");
    expect(resultOf(remote)).toEqual(resultOf(direct));
    expect(remote.usage).toEqual(direct.usage);
    expect(remote.artifacts.length).toBe(4);
    expect(await archiveOf(remote)).toEqual(await archiveOf(direct));
    const { found } = JSON.parse(remote.result?.final_message ?? "");
    const sent = Object.entries(FILES).map(([path, bytes]) => `${path} ${Buffer.from(bytes).toString("base64")}`);
    expect(found).toEqual(files === undefined ? [] : sent.sort());
  });
}

test("a server can be the engine of another server", async () => {
  const first = await openServer(await commandEngine(join(FIXTURES, "multi-turn.mjs")));
  const second = await openServer(await customEngine({ transport: "http", http: { url: `${first.url}/v1/run` } }));
  const third = await customEngine({ transport: "http", http: { url: `${second.url}/v1/run` } });
  const { status, result } = await run(third, await makeFolder());
  expect(status).toBe("completed");
  expect(result).toMatchObject({ exit_code: 0, final_message: "2 asked, 1 answered", turns: 2 });
});

test("false claims and keys in an engine's output are masked by the server", async () => {
  const custom = { env: { ENGINE_KEY: SECRET } };
  const leaking = await openServer(await commandEngine(join(FIXTURES, "secret-leaking.mjs"), custom));
  const response = await ask(leaking);
  expect(response).toMatchObject({ status: 200, body: { exit_code: 0, artifacts: { logs: "***REDACTED***" } } });
  expect(JSON.stringify(response.body)).not.toContain(SECRET);
  const liar = await openServer(await commandEngine(join(FIXTURES, "liar.mjs")));
  expect(await ask(liar)).toMatchObject({ status: 200, body: { exit_code: 7 } });
  const escaping = await openServer(await commandEngine(join(FIXTURES, "path-escaping.mjs")));
  const { body } = await ask(escaping);
  expect(JSON.stringify(body)).not.toContain("root:");
  expect(body["artifacts"]).toMatchObject({ logs: expect.stringContaining("Not in this answer: ") });
});

test("artifact files are masked too", async () => {
  const engine = answering(() => ({
    ...DONE,
    artifacts: {
      files: [
        { name: "log.txt", content: `key=${SECRET}` },
        { name: "log.bin", content_base64: Buffer.from(`\u0000${SECRET}\u00ff`, "latin1").toString("base64") },
      ],
    },
  }));
  const server = await openServer(engine, { session: { engine, engineName: "served", secrets: [SECRET] } });
  const { body } = await ask(server);
  const binary = Buffer.from("\u0000***REDACTED***\u00ff", "latin1").toString("base64");
  expect(body["artifacts"]).toEqual({
    files: [
      { name: "log.txt", content: "key=***REDACTED***" },
      { name: "log.bin", content_base64: binary },
    ],
  });
});

test("artifacts that do not fit into a response are listed in it, and the response is valid [custom-http-13]", async () => {
  const script = join(await makeFolder(), "large.cjs");
  const names = ["a.bin", "b.bin", "c.bin", "d.bin"];
  await writeFile(
    script,
    `const fs = require("node:fs");
    for (const [name, size] of [["a.bin", 51], ["b.bin", 40], ["c.bin", 20], ["d.bin", 1]]) fs.writeFileSync(name, Buffer.alloc(size * 1024 * 1024));
    fs.writeFileSync(process.argv[3], JSON.stringify({ exit_code: 0, final_message: "", artifacts: { logs: "own", generated_files: ${JSON.stringify(names)} } }));`,
  );
  const server = await openServer(await commandEngine(script));
  const engine = await customEngine({ transport: "http", http: { url: `${server.url}/v1/run` } });
  const { status, artifacts, result } = await run(engine, await makeFolder());
  expect(status).toBe("completed");
  expect(artifacts.map(({ name, bytes }) => [name, bytes])).toEqual([
    ["b.bin", 40 * 1024 * 1024],
    ["d.bin", 1024 * 1024],
  ]);
  expect(result?.artifacts?.logs?.split("\n")).toEqual([
    "own",
    expect.stringMatching(/^Not in this answer: a\.bin: it exceeds the limit of/u),
    expect.stringMatching(/^Not in this answer: c\.bin: it does not fit/u),
  ]);
});

function form(...parts: readonly (readonly [name: string, content: string, filename?: string])[]): FormData {
  const data = new FormData();
  for (const [name, content, filename] of parts) {
    if (filename === undefined) data.append(name, content);
    else data.append(name, new Blob([content]), filename);
  }
  return data;
}

const PAYLOAD = ["payload", JSON.stringify({ messages: INPUT.messages })] as const;

test("a form is accepted exactly, or rejected [custom-http-files-4, custom-http-files-5]", async () => {
  const started: string[] = [];
  const server = await openServer(
    answering(({ workspace = "" }) => {
      started.push(workspace);
      return DONE;
    }),
  );
  const accepted = [
    form(PAYLOAD),
    form(["files", "x", "a/b.txt"], PAYLOAD),
    form(["payload", PAYLOAD[1], "case.json"]),
    form(PAYLOAD, ["files", "x", "a..b/...txt"]),
  ];
  for (const body of accepted) expect((await post(server, body)).status).toBe(200);
  expect(started.length).toBe(accepted.length);
  const refused: readonly (readonly [FormData, RegExp])[] = [
    [form(), /no part payload|cannot be parsed/u],
    [form(["files", "x", "a"]), /no part payload/u],
    [form(PAYLOAD, PAYLOAD), /other than payload|two parts/u],
    [form(PAYLOAD, ["payload", PAYLOAD[1], "case.json"]), /two parts payload/u],
    [form(["other", "x"]), /the part \\?"other/u],
    [form(PAYLOAD, ["other", "x", "a"]), /the part \\?"other/u],
    [form(PAYLOAD, ["files", "x"]), /other than payload|no part/u],
    ...["../a", "a/../../b", "/etc/passwd", "a//b", "a/", "./a", "C:/a", "\\\\host\\a", "a\u0007b", ".", ".."].map(
      (name) => [form(PAYLOAD, ["files", "x", name]), /is not a path in a workspace|cannot be parsed/u] as const,
    ),
    [form(PAYLOAD, ["files", "x", ".git/hooks/post-checkout"]), /version control/u],
    [form(PAYLOAD, ["files", "x", "sub/.GIT/config"]), /version control/u],
    [form(PAYLOAD, ["files", "x", "a"], ["files", "y", "a"]), /two files/u],
  ];
  for (const [body, expected] of refused) {
    const { status, body: problem } = await post(server, body);
    expect([status, problem["code"], problem["detail"]]).toEqual([
      400,
      "server.bad_request",
      expect.stringMatching(expected),
    ]);
  }
  const cut = `--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{}`;
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  expect(await post(server, cut, { headers })).toMatchObject({ status: 400, body: { code: "server.bad_request" } });
  expect(await readdir(`${server.state}-workspaces`)).toEqual([]);
  expect(started.length).toBe(accepted.length);
});

test("a file that would overwrite another file, or follow a link of the shared workspace, is rejected", async () => {
  const workspace = await makeFolder();

  await symlink("/tmp", join(workspace, "out"));
  const server = await openServer(
    answering(() => DONE),
    { workspace },
  );
  const clash = await post(server, form(PAYLOAD, ["files", "x", "a"], ["files", "y", "a/b"]));
  expect(clash.status).toBeGreaterThanOrEqual(400);
  const led = await post(server, form(PAYLOAD, ["files", "x", "out/switchyard-escaped.txt"]));
  expect(led.status).toBeGreaterThanOrEqual(400);
  await expect(readFile("/tmp/switchyard-escaped.txt")).rejects.toThrow("ENOENT");
  expect(await readFile(join(workspace, "a"), "utf8")).toBe("x");
});
