import { createHash } from "node:crypto";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { parseTokens, readTokens, watchTokens } from "../src/index.ts";
import { create } from "./call-api.ts";
import { ASK, answering, DONE, makeFolder, openServer, post } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

const TOKEN = "the-token-of-nobody-0123456789";
const OTHER = "another-token-of-nobody-0123456789";

async function codeOf(action: () => unknown): Promise<[string, string]> {
  try {
    await action();
  } catch (error) {
    if (EngineError.is(error)) return [error.code, error.message];
    throw error;
  }
  throw new Error("It was accepted.");
}

test("only callers with a token are served, and tokens are never returned or logged", async () => {
  const hashed = `sha256:${createHash("sha256").update(OTHER).digest("hex")}`;
  const tokens = parseTokens(`# of the build\n${TOKEN}\n\n  ${hashed}\r\n`, "tokens.txt");
  const server = await openServer(
    answering(() => DONE),
    { tokens },
  );
  const ask = async (authorization?: string) =>
    post(server, JSON.stringify(ASK), { headers: authorization === undefined ? {} : { authorization } });
  const refused = [
    undefined,
    "",
    "Bearer",
    `Bearer ${TOKEN}x`,
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${hashed}`,
    `Bearer ${TOKEN} x`,
  ];
  for (const authorization of refused) {
    const { status, headers, body } = await ask(authorization);
    expect([status, body["code"], headers.get("www-authenticate")]).toEqual([401, "server.unauthorized", "Bearer"]);
  }
  for (const authorization of [`Bearer ${TOKEN}`, `bearer  ${OTHER}`])
    expect((await ask(authorization)).status).toBe(200);
  // Without a token, a missing path gets the same response as an existing one.
  expect((await fetch(`${server.url}/nothing`)).status).toBe(401);
  for (const path of ["/livez", "/readyz", "/startupz"]) expect((await fetch(server.url + path)).status).toBe(200);
  expect(JSON.stringify(server.lines)).not.toContain(TOKEN);
});

test("a token file that others can read, or without tokens, is rejected without quoting it", async () => {
  const path = join(await makeFolder(), "tokens.txt");
  await writeFile(path, `${TOKEN}\n`, { mode: 0o640 });
  await chmod(path, 0o640);
  expect(await codeOf(() => readTokens(path))).toEqual(["credentials.exposed", expect.stringContaining(path)]);
  await chmod(path, 0o600);
  expect((await readTokens(path)).callerOf(`Bearer ${TOKEN}`)?.roles).toEqual(new Set(["runner", "approver"]));
  expect(await codeOf(() => readTokens(`${path}.missing`))).toMatchObject(["server.invalid_tokens", expect.anything()]);
  expect(await codeOf(() => readTokens(join(path, "..")))).toMatchObject([expect.anything(), expect.anything()]);
  for (const [text, expected] of [
    ["", "it has no token"],
    ["# nothing\n", "it has no token"],
    [`${TOKEN}\nshort`, "line 2 is shorter than 16 characters"],
    [`${TOKEN} and more`, "line 1 has more after its token"],
    [`${TOKEN} owner=`, "line 1 has more after its token"],
    [
      `${TOKEN} roles=viewer,everything`,
      "line 1 names an unknown role; the roles are viewer, runner, approver, admin, monitor",
    ],
    [`${TOKEN} roles=`, "line 1 names an unknown role"],
    [`${TOKEN} scopes=read,run`, "line 1 has more after its token"],
    [`${TOKEN}\u00e9`, "line 1 has characters"],
    ["sha256:abc", "line 1 is not a SHA-256 hash"],
  ] as const) {
    const [code, message] = await codeOf(() => parseTokens(text, path));
    expect([code, message]).toEqual(["server.invalid_tokens", expect.stringContaining(expected)]);
    expect(message).not.toContain(TOKEN);
  }
});

test("without tokens the server listens only on loopback", async () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.org"]) {
    const [code, message] = await codeOf(() =>
      openServer(
        answering(() => DONE),
        { host },
      ),
    );
    expect([code, message]).toEqual(["server.insecure", expect.stringContaining(host)]);
  }
  const tokens = parseTokens(TOKEN, "tokens.txt");
  const server = await openServer(
    answering(() => DONE),
    { host: "0.0.0.0", tokens },
  );
  const url = `http://127.0.0.1:${server.port}`;
  expect((await post({ url }, JSON.stringify(ASK))).status).toBe(401);
  expect((await post({ url }, JSON.stringify(ASK), { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(
    200,
  );
  const inUse = await codeOf(() =>
    openServer(
      answering(() => DONE),
      { port: server.port },
    ),
  );
  expect(inUse).toEqual(["server.cannot_listen", expect.stringContaining(String(server.port))]);
});

test("an event stream ends when its token is removed or loses a role, and other streams stay open", async () => {
  const file = join(await makeFolder(), "tokens");
  const write = (text: string): Promise<void> => writeFile(file, text, { mode: 0o600 });
  await write(`${TOKEN} owner=a\n${OTHER} owner=a\n`);
  const tokens = await watchTokens(file, { onError: () => {}, intervalMs: 20 });
  onTestFinished(() => tokens.close());
  const { opened, open } = gate();
  const engine = stepEngine({ before: () => opened });
  const server = await openServer(engine, { tokens, streams: { heartbeatMs: 5 } });
  const runId = await create(server, { token: TOKEN });
  const watch = (token: string) =>
    fetch(`${server.url}/v1/runs/${runId}/events`, { headers: { authorization: `Bearer ${token}` } });
  const [removed, kept] = [await watch(TOKEN), await watch(OTHER)];
  await write(`${TOKEN} owner=a roles=viewer\n${OTHER} owner=a\n# changed\n`);
  expect(await removed.text()).not.toContain("event: ");
  open();
  expect(await kept.text()).toContain("event: end");
});

test("a changed token file is reloaded; an unusable one is reported and changes nothing", async () => {
  const file = join(await makeFolder(), "tokens");
  const write = async (text: string): Promise<void> => {
    // Replaces the file atomically.
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  await write(`${TOKEN} owner=a\n`);
  const errors: unknown[] = [];
  const tokens = await watchTokens(file, { onError: (error) => errors.push(error), intervalMs: 20 });
  onTestFinished(() => tokens.close());
  const ownerOf = (token: string): string | undefined => tokens.callerOf(`Bearer ${token}`)?.owner;
  expect([ownerOf(TOKEN), ownerOf(OTHER)]).toEqual(["a", undefined]);
  await write(`${OTHER} owner=bee\n`);
  await expect.poll(() => [ownerOf(TOKEN), ownerOf(OTHER)]).toEqual([undefined, "bee"]);
  await write("short\n");
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  expect(EngineError.is(errors[0], "server.invalid_tokens")).toBe(true);
  await rm(file);
  expect(ownerOf(OTHER)).toBe("bee");
  await expect(watchTokens(`${file}.none`, { onError: () => {} })).rejects.toMatchObject({
    code: "server.invalid_tokens",
  });
});
