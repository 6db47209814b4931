import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { EngineError } from "@switchyard/contracts";
import { exportSPKI, importJWK } from "jose";
import { beforeAll, expect, test } from "vitest";
import { openOidc, parseOidcOptions, parseTokens } from "../../src/index.ts";
import { type ApiResponse, call, create } from "../call-api.ts";
import { type OpenedServer, openServer } from "../open-server.ts";
import { gate, stepEngine } from "../step-engine.ts";
import { createKey, type Issuer, type IssuerKey, openIssuer, type TokenOptions } from "./issuer.ts";

const ROLES = { claim: "groups", values: { developers: ["runner"], leads: ["runner", "approver"], root: ["admin"] } };
const NOW_MS = Date.parse("2026-06-01T12:00:00Z");

let first: IssuerKey;
let second: IssuerKey;
let rsa: IssuerKey;
beforeAll(async () => {
  [first, second, rsa] = await Promise.all([createKey("first"), createKey("second"), createKey("rsa", "RS256")]);
});

/** Server that accepts the tokens of a provider, with a clock that the test moves. */
interface Scene {
  readonly server: OpenedServer;
  readonly issuer: Issuer;
  readonly problems: unknown[];
  /** Moves the monotonic clock. */
  wait(seconds: number): void;
  /** Sends `GET /v1/runs` with a token. */
  list(token: string): Promise<ApiResponse>;
  /** Creates a token of the provider. Default key: the first. */
  sign(options?: Partial<TokenOptions>): Promise<string>;
}

async function openScene(config: Record<string, unknown> = {}): Promise<Scene> {
  const issuer = await openIssuer(first, rsa);
  const problems: unknown[] = [];
  let nowMs = 0;
  const document = { issuer: issuer.url, audience: "switchyard", roles: ROLES, ...config };
  const oidc = openOidc(parseOidcOptions(document, "oidc.yaml"), {
    onError: (error) => problems.push(error),
    now: () => NOW_MS,
    monotonic: () => nowMs,
  });
  const limits = { rateLimit: { perMinute: 1e9, burst: 1e9 }, attemptLimit: { perMinute: 1e9, burst: 1e9 } };
  const tokens = parseTokens("token-of-the-file-0123456789 owner=file", "tokens.txt");
  const server = await openServer(stepEngine({ steps: 1 }), { tokens, oidc, ...limits });
  return {
    ...{ server, issuer, problems },
    wait: (seconds) => {
      nowMs += seconds * 1000;
    },
    list: (token) => call(server, "GET /v1/runs", { token }),
    sign: (options = {}) => issuer.sign({ key: first, ...options }, NOW_MS),
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

test("a token of the provider identifies its owner and roles, next to tokens of the token file", async () => {
  const { server, sign, list } = await openScene({ owner: { prefix: "people:" } });
  const [ada, bob] = [await sign(), await sign({ claims: { sub: "bob", groups: ["other", "developers"] } })];
  const runId = await create(server, { token: ada });
  expect((await list(ada)).body).toMatchObject({ total: 1, runs: [{ owner: "people:ada" }] });
  for (const token of [bob, "token-of-the-file-0123456789"]) {
    expect((await list(token)).body).toMatchObject({ total: 0 });
    expect((await call(server, `GET /v1/runs/${runId}`, { token })).body["code"]).toBe("server.unknown_run");
  }
  const root = await sign({ claims: { sub: "root", groups: "root" } });
  expect((await list(root)).body).toMatchObject({ total: 1 });
  const nobody = await sign({ claims: { groups: ["none", "constructor", "__proto__"] } });
  expect((await list(nobody)).body["code"]).toBe("server.missing_role");
  expect(server.lines.every((line) => !JSON.stringify(line).includes("eyJ"))).toBe(true);
});

test("owner and roles come from nested claims and lists of names, and a bad owner is rejected", async () => {
  const config = { owner: { claim: ["org", "id"] }, roles: { claim: "scope" }, algorithms: ["RS256"] };
  const { sign, list, server } = await openScene(config);
  const claims = { org: { id: "team a" }, scope: "openid runner viewer" };
  expect((await list(await sign({ claims, key: rsa }))).status).toBe(200);
  const token = await sign({ claims: { ...claims, scope: "openid viewer" }, key: rsa });
  expect((await call(server, "POST /v1/runs", { token, body: {} })).body["code"]).toBe("server.missing_role");
  for (const org of [undefined, {}, { id: "" }, { id: ["a"] }, { id: 7 }, { id: "a\nb" }, { id: "é" }, { id: " a" }]) {
    const refused = await list(await sign({ claims: { ...claims, org }, key: rsa }));
    expect([org, refused.status, refused.body["code"]]).toEqual([org, 401, "server.invalid_token"]);
  }
  // The other key signs with an algorithm that this server does not accept.
  expect((await list(await sign({ claims }))).status).toBe(401);
});

test("tokens that are expired, early, for others, unsigned or signed by others are rejected", async () => {
  const { sign, list, issuer } = await openScene();
  const foreign = await createKey("first");
  const seconds = NOW_MS / 1000;
  const valid = await sign();
  const [header = "", payload = "", signature = ""] = valid.split(".");
  const publicKey = await importJWK(first.publicJwk, "ES256", { extractable: true });
  const pem = publicKey instanceof Uint8Array ? "" : await exportSPKI(publicKey);
  const hmac = (secret: string): string => {
    const signed = `${encode({ alg: "HS256", kid: "first" })}.${payload}`;
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  };
  const refused: Record<string, string> = {
    expired: await sign({ claims: { exp: seconds - 31 } }),
    "without expiry": await sign({ claims: { exp: undefined } }),
    early: await sign({ claims: { nbf: seconds + 31 } }),
    "for another audience": await sign({ claims: { aud: ["other", "switchyard2"] } }),
    "without audience": await sign({ claims: { aud: undefined } }),
    "of another issuer": await sign({ claims: { iss: `${issuer.url}/` } }),
    "without owner": await sign({ claims: { sub: undefined } }),
    "without algorithm": `${encode({ alg: "none", kid: "first" })}.${payload}.`,
    "without algorithm, signed": `${encode({ alg: "none", kid: "first" })}.${payload}.${signature}`,
    "signed with the public key": hmac(pem),
    "signed with the public key as JWK": hmac(JSON.stringify(first.publicJwk)),
    "signed with a foreign key of the same name": await sign({ key: foreign }),
    "with its own key": await sign({ key: foreign, header: { kid: "own", jwk: foreign.publicJwk } }),
    "with the address of its key": await sign({ key: foreign, header: { kid: "own", jku: `${issuer.url}/own` } }),
    "with an unknown critical header": `${encode({ alg: "ES256", kid: "first", crit: ["x"], x: 1 })}.${payload}.${signature}`,
    "with other claims": `${header}.${encode({ ...JSON.parse(Buffer.from(payload, "base64url").toString()), sub: "root" })}.${signature}`,
    "without signature": `${header}.${payload}.`,
    encrypted: `${header}.${payload}.${signature}.${payload}.${signature}`,
  };
  for (const [name, token] of Object.entries(refused)) {
    const { status, headers, body } = await list(token);
    expect([name, status, headers.get("www-authenticate")]).toEqual([name, 401, "Bearer"]);
    expect(JSON.stringify(body)).not.toContain(payload);
  }
  expect((await list(refused["expired"] ?? "")).body["detail"]).toBe("The token was rejected: it has expired.");
  for (const claims of [{ exp: seconds - 29 }, { nbf: seconds + 29 }, { aud: ["other", "switchyard"] }])
    expect([claims, (await list(await sign({ claims }))).status]).toEqual([claims, 200]);
  expect(issuer.requests).not.toContain("/own");
});

test("a token of another type is rejected if the configuration requires a type", async () => {
  const { sign, list } = await openScene({ token_type: "at+jwt" });
  expect((await list(await sign({ header: { typ: "JWT" } }))).status).toBe(401);
  expect((await list(await sign({ header: { typ: "application/at+jwt" } }))).status).toBe(200);
});

test("after a rotation, a new key is found and a removed key is forgotten", async () => {
  const { sign, list, issuer, wait } = await openScene();
  expect((await list(await sign())).status).toBe(200);
  issuer.keys = [second.publicJwk];
  const rotated = await sign({ key: second });
  expect((await list(rotated)).status).toBe(401);
  wait(11);
  expect((await list(rotated)).status).toBe(200);
  expect((await list(await sign())).status).toBe(401);
});

test("tokens with unknown keys make the server read keys at most once per 10 seconds", async () => {
  const { sign, list, issuer, wait } = await openScene();
  expect((await list(await sign())).status).toBe(200);
  expect(issuer.requests).toHaveLength(2);
  const stranger = await createKey("stranger");
  const flood = async (): Promise<void> => {
    const tokens = await Promise.all(
      Array.from({ length: 40 }, (_, index) => sign({ key: stranger, header: { kid: `kid-${index}` } })),
    );
    const answers = await Promise.all([...tokens.map(list), sign().then(list)]);
    expect(answers.map(({ status }) => status)).toEqual([...tokens.map(() => 401), 200]);
  };
  await flood();
  expect(issuer.requests).toHaveLength(2);
  wait(10);
  await flood();
  await flood();
  expect(issuer.requests).toHaveLength(4);
});

/** Responses of a provider that are unusable, by the path that they replace. */
const BROKEN: readonly (readonly [string, string, (response: ServerResponse, issuer: Issuer) => void])[] = [
  ["an error", "/keys", (response) => void response.writeHead(500).end()],
  ["a redirect", "/keys", (response) => void response.writeHead(302, { location: "/keys2" }).end()],
  ["too many bytes", "/keys", (response) => void response.end(`{"keys":[]${" ".repeat(300_000)}}`)],
  ["something else than JSON", "/keys", (response) => void response.end("<html>")],
  ["no list of keys", "/keys", (response) => void response.end('{"keys":{}}')],
  ["too many keys", "/keys", (response) => void response.end(JSON.stringify({ keys: Array(101).fill({ kty: "EC" }) }))],
  [
    "another issuer",
    "/.well-known/openid-configuration",
    (response, { url }) => void response.end(JSON.stringify({ issuer: "https://x.test", jwks_uri: `${url}/keys` })),
  ],
  [
    "keys without encryption",
    "/.well-known/openid-configuration",
    (response, { url }) => void response.end(JSON.stringify({ issuer: url, jwks_uri: "http://192.0.2.1/keys" })),
  ],
  ["a broken connection", "/keys", (response) => void response.destroy()],
];

test.each(BROKEN)(
  "if the provider sends %s, known keys stay valid for an hour, then requests get 503",
  async (...row) => {
    const [, path, respond] = row;
    const { sign, list, issuer, wait, problems, server } = await openScene();
    expect((await list(await sign())).status).toBe(200);
    issuer.overrides.set(path, (response) => respond(response, issuer));
    wait(3_000);
    expect((await list(await sign())).status).toBe(200);
    await expect.poll(() => problems.length).toBe(1);
    expect(EngineError.is(problems[0], "server.issuer_unreadable")).toBe(true);
    wait(700);
    const unavailable = await list(await sign());
    expect(unavailable).toMatchObject({ status: 503, body: { code: "server.issuer_unavailable", retryable: true } });
    expect(JSON.stringify(unavailable.body)).not.toContain(issuer.url);
    expect((await call(server, "GET /v1/runs", { token: "token-of-the-file-0123456789" })).status).toBe(200);
    issuer.overrides.clear();
    expect((await list(await sign())).status).toBe(503);
    wait(10);
    expect((await list(await sign())).status).toBe(200);
  },
);

test("an event stream ends when its token has expired", async () => {
  const issuer = await openIssuer(first);
  let nowMs = NOW_MS;
  const document = { issuer: issuer.url, audience: "switchyard", roles: { default: ["runner"] } };
  const oidc = openOidc(parseOidcOptions(document, "oidc.yaml"), { onError: () => {}, now: () => nowMs });
  const { opened, open } = gate();
  const engine = stepEngine({ before: () => opened });
  const server = await openServer(engine, { oidc, now: () => nowMs, streams: { heartbeatMs: 5 } });
  const token = await issuer.sign({ key: first }, nowMs);
  const runId = await create(server, { token });
  const stream = await fetch(`${server.url}/v1/runs/${runId}/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  nowMs += 331_000;
  expect(await stream.text()).not.toContain("event: ");
  open();
});

test.each([
  ["issuer", { issuer: "http://login.example.org" }],
  ["issuer", { issuer: "https://login.example.org/?x=1" }],
  ["issuer", { issuer: "https://user:password@login.example.org" }],
  ["audience", { audience: [] }],
  ["roles", { roles: {} }],
  ["roles.default.0", { roles: { default: ["owner"] } }],
  ["roles.values.a.0", { roles: { claim: "g", values: { a: ["x"] } } }],
  ["algorithms.0", { algorithms: ["HS256"] }],
  ["algorithms.0", { algorithms: ["none"] }],
  ["clock_tolerance_seconds", { clock_tolerance_seconds: 3_600 }],
  ["the document", { secret: "x" }],
])("a configuration with an invalid %s is rejected", (field, change) => {
  const document = { issuer: "https://login.example.org", audience: "switchyard", roles: ROLES, ...change };
  expect(() => parseOidcOptions(document, "oidc.yaml")).toThrow(`oidc.yaml is invalid: ${field}: `);
});
