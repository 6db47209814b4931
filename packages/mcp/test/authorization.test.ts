import type { Secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { loginToServer, parseMcpConfig } from "../src/index.ts";
import { memoryLogins, startAuthorizationServer, startProtected } from "./authorization-server.ts";
import { failureOf, openServers } from "./open-servers.ts";

const WAIT_MS = 60_000;

test("a user logs in once, and then every run has access, refreshed after expiry", async () => {
  await using authorization = await startAuthorizationServer();
  await using box = await startProtected(authorization);
  const logins = memoryLogins();
  const pages: Promise<number>[] = [];
  await loginToServer("box", {
    ...{ config: { url: box.url }, logins, signal: AbortSignal.timeout(WAIT_MS) },
    onAddress: (address) => void pages.push(authorization.allow(address)),
  });
  expect(await Promise.all(pages)).toEqual([200]);
  expect([...logins.stored.keys()]).toEqual([box.url]);

  const secrets = new Set<string>();
  const onSecret = (value: Secret): void => void secrets.add(value.reveal());
  await using servers = await openServers({ box: { url: box.url } }, { logins, onSecret });
  expect((await servers.call("box__add", { a: 2, b: 3 })).content).toBe("5");
  const [before] = logins.stored.values();
  authorization.good.clear();
  const calls = [servers.call("box__add", { a: 1, b: 1 }), servers.call("box__add", { a: 2, b: 2 })];
  expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(["2", "4"]);
  const [after] = logins.stored.values();
  expect(after?.refreshToken).not.toBe(before?.refreshToken);
  expect(after?.clientId).toBe(before?.clientId);
  for (const login of [before, after]) {
    expect(secrets).toContain(login?.accessToken);
    expect(secrets).toContain(login?.refreshToken);
  }
  // The token was refreshed only once for all rejected requests.
  expect(authorization.grants).toEqual(["authorization_code", "refresh_token"]);
});

test("a server that requires a login that does not exist is reported with the login command, and no client is registered", async () => {
  await using authorization = await startAuthorizationServer();
  await using box = await startProtected(authorization);
  await using servers = await openServers({ box: { url: box.url } }, { logins: memoryLogins() });
  expect(servers.connections.servers()).toMatchObject([{ state: "failed" }]);
  const [notice] = servers.connections.takeNotices?.() ?? [];
  expect(notice?.message).toBe(
    "The MCP server box failed: The MCP server box requires authentication. " +
      "Run `switchyard mcp login box` with its configuration file on a machine with a browser, then retry.",
  );
  expect(authorization.http.requests).toEqual([]);
});

test("a login that has expired and cannot be refreshed is reported like a missing one", async () => {
  await using authorization = await startAuthorizationServer();
  await using box = await startProtected(authorization);
  const logins = memoryLogins();
  const old = { clientId: "gone", accessToken: "old-access", tokenType: "Bearer", refreshToken: "old-refresh" };
  await logins.save(box.url, { ...old, issuer: authorization.issuer });
  await using servers = await openServers({ box: { url: box.url } }, { logins });
  const [status] = servers.connections.servers();
  expect(status?.problem).toContain("switchyard mcp login box");
  expect(JSON.stringify(servers.connections.takeNotices?.())).not.toMatch(/old-(access|refresh)/);
});

test("a client with configured credentials needs no user, and its secret is sent only to its authorization server", async () => {
  await using authorization = await startAuthorizationServer();
  await using other = await startAuthorizationServer();
  await using box = await startProtected(authorization);
  const config = (issuer: string) =>
    parseMcpConfig({
      mcpServers: {
        box: {
          url: box.url,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains a variable reference.
          oauth: { grant: "client_credentials", clientId: "robot", clientSecret: "${ROBOT}", issuer },
        },
      },
    });
  const env = { ROBOT: "robot-secret" };
  const secrets: string[] = [];
  await using servers = await openServers(config(authorization.issuer), {
    env,
    onSecret: (value) => secrets.push(value.reveal()),
  });
  expect((await servers.call("box__add", { a: 2, b: 3 })).content).toBe("5");
  expect(secrets).toEqual([...authorization.good]);
  expect(authorization.grants).toEqual(["client_credentials"]);
  await using misled = await openServers(config(other.issuer), { env });
  expect(misled.connections.servers()).toMatchObject([{ state: "failed" }]);
  expect(authorization.grants).toEqual(["client_credentials"]);
});

test("the browser's answer counts only with the state of this sign-in", async () => {
  await using authorization = await startAuthorizationServer();
  await using box = await startProtected(authorization);
  const logins = memoryLogins();
  const statuses: Promise<number[]>[] = [];
  await loginToServer("box", {
    ...{ config: { url: box.url }, logins, signal: AbortSignal.timeout(WAIT_MS) },
    onAddress: (address) => {
      const forged = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
      forged.search = "?code=forged&state=guessed";
      const play = async (): Promise<number[]> => [
        (await fetch(forged)).status,
        (await fetch(forged, { method: "POST" })).status,
        await authorization.allow(address),
      ];
      statuses.push(play());
    },
  });
  expect(await Promise.all(statuses)).toEqual([[404, 404, 200]]);
  expect(logins.stored.size).toBe(1);
});

test("a login that is refused, or not completed in time, stores nothing", async () => {
  await using authorization = await startAuthorizationServer();
  await using box = await startProtected(authorization);
  const logins = memoryLogins();
  const refused = loginToServer("box", {
    ...{ config: { url: box.url }, logins, signal: AbortSignal.timeout(WAIT_MS) },
    onAddress: (address) => {
      const { searchParams } = new URL(address);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = `?error=access_denied&state=${searchParams.get("state")}`;
      void fetch(back);
    },
  });
  const failure = await failureOf(refused);
  expect(failure.code).toBe("mcp.sign_in_failed");
  expect(failure.message).toContain("access_denied");
  const given = new AbortController();
  const left = loginToServer("box", {
    ...{ config: { url: box.url }, logins, signal: given.signal },
    onAddress: () => given.abort(new Error("enough")),
  });
  await expect(left).rejects.toThrow("enough");
  expect(logins.stored.size).toBe(0);
  const program = loginToServer("p", { config: { command: "x" }, logins, signal: given.signal, onAddress: () => {} });
  expect((await failureOf(program)).code).toBe("config.invalid");
});
