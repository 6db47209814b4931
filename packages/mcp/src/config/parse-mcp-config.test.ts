// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import { EngineError } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mcpSecrets, parseMcpConfig } from "../index.ts";

function fieldOf(source: unknown): unknown {
  try {
    parseMcpConfig(source);
  } catch (error) {
    if (EngineError.is(error, "config.invalid")) return error.details["field"];
    throw error;
  }
  throw new Error("it was taken");
}

const server = (value: unknown): unknown => ({ mcpServers: { a: value } });

test("the common form is read, with unchanged references, without disabled servers and unknown fields", () => {
  const text = JSON.stringify({
    mcpServers: {
      files: {
        command: "npx",
        args: ["-y", "files"],
        env: { TOKEN: "${TOKEN}", COUNT: 3 },
        timeout: 5_000,
        autoApprove: [],
      },
      web: {
        type: "http",
        url: "https://example.org/mcp",
        headers: { Authorization: "Bearer ${T}" },
        excludeTools: ["x"],
      },
      old: { type: "sse", url: "https://example.org/sse", trustAnnotations: true, timeouts: { startMs: 1 } },
      off: { command: "never", disabled: true },
    },
    other: {},
  });
  expect(parseMcpConfig(`\ufeff${text}`)).toEqual({
    files: {
      command: "npx",
      args: ["-y", "files"],
      env: { TOKEN: "${TOKEN}", COUNT: "3" },
      timeouts: { callMs: 5_000 },
    },
    web: {
      transport: "http",
      url: "https://example.org/mcp",
      headers: { Authorization: "Bearer ${T}" },
      excludeTools: ["x"],
    },
    old: { transport: "sse", url: "https://example.org/sse", trustAnnotations: true, timeouts: { startMs: 1 } },
  });
});

test.each([
  ["{", "mcpServers"],
  [{}, "mcpServers"],
  [server([]), "mcpServers.a"],
  [server({}), "mcpServers.a"],
  [server({ command: "x", url: "y" }), "mcpServers.a"],
  [server({ command: 7 }), "mcpServers.a.command"],
  [server({ command: "x", type: "http" }), "mcpServers.a.type"],
  [server({ url: "x", type: "toString" }), "mcpServers.a.type"],
  [server({ command: "x", args: "y" }), "mcpServers.a.args"],
  [server({ command: "x", args: [1] }), "mcpServers.a.args[0]"],
  [server({ command: "x", env: { A: null } }), "mcpServers.a.env.A"],
  [server({ url: "x", headers: [] }), "mcpServers.a.headers"],
  [server({ command: "x", disabled: "yes" }), "mcpServers.a.disabled"],
  [server({ command: "x", timeout: -1 }), "mcpServers.a.timeout"],
  [server({ command: "x", timeouts: { listMs: "1" } }), "mcpServers.a.timeouts.listMs"],
])("an invalid configuration is refused with its field (%#)", (source, field) => {
  expect(fieldOf(source)).toBe(field);
});

test("anything is read, or refused as a configuration", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.anything().map(server), fc.string()), (source) => {
      try {
        expect(parseMcpConfig(source)).toBeTypeOf("object");
      } catch (error) {
        expect(EngineError.is(error, "config.invalid")).toBe(true);
      }
    }),
  );
});

test("secrets are found by wrapper, name, looks and reference", () => {
  const env = { API_TOKEN: "value-of-the-token", UNUSED_TOKEN: "not-referred-to", PLAIN: "plain-value" };
  const secrets = mcpSecrets(
    {
      a: {
        command: "x",
        args: ["--token=${API_TOKEN}", "${PLAIN}"],
        env: { MODE: "production", DB_PASSWORD: "literal-password", WRAPPED: secret("wrapped-value") },
      },
      b: {
        url: "https://u:pass-word@example.org/?api_key=key-in-address",
        headers: { Authorization: "Bearer literal-bearer-token", Accept: "text/plain" },
      },
      c: { command: "x", env: { SECRET: "${NOT_SET}" } },
    },
    env,
  );
  expect(secrets.map((value) => value.reveal()).sort()).toEqual([
    "Bearer literal-bearer-token",
    "key-in-address",
    "literal-bearer-token",
    "literal-password",
    "pass-word",
    "value-of-the-token",
    "wrapped-value",
  ]);
});
