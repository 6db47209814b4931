import { expect, test } from "vitest";
import { mergeVariableRules, selectVariables } from "./select-variables.ts";

const core = {
  PATH: "/bin",
  HOME: "/home/me",
  USER: "me",
  SHELL: "/bin/bash",
  LANG: "C",
  TERM: "xterm",
  TMPDIR: "/tmp",
};
const tools = { GOPATH: "/go", CARGO_HOME: "/cargo", NVM_DIR: "/nvm" };

test.each(["OPENAI_API_KEY", "my_secret", "X_TOKEN", "Db_Password", "A_CREDENTIAL"])(
  "%s is not passed to commands by default [loop-4.2-7] [loop-9.4-5]",
  (name) => {
    expect(selectVariables({ ...core, [name]: "v", EDITOR_MODE: "vi" })).toEqual({ ...core, EDITOR_MODE: "vi" });
  },
);

test.each([
  "AWS_SECRET_ACCESS_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "PGPASSWORD",
  "MYSQL_PWD",
  "DATABASE_URL",
  "npm_config__auth",
  "SSH_AUTH_SOCK",
  "KUBECONFIG",
  "SENTRY_DSN",
  "GH_PAT",
])("%s is not passed to commands either [loop-4.2-10]", (name) => {
  expect(selectVariables({ [name]: "v", PLAIN: "v" })).toEqual({ PLAIN: "v" });
});

test("a value that looks like a credential is removed, whatever its name [loop-4.2-10]", () => {
  const value = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  expect(selectVariables({ HARMLESS: value, OTHER: "text" })).toEqual({ OTHER: "text" });
});

test.each(["all", "core"] as const)("core variables always reach commands under %s [loop-4.2-8]", (policy) => {
  expect(selectVariables({ ...core, ...tools, LC_ALL: "C" }, { policy })).toEqual({ ...core, ...tools, LC_ALL: "C" });
});

test("the policy is all, core only, or none [loop-4.2-9]", () => {
  const host = { ...core, OTHER: "x" };
  expect(selectVariables(host, { policy: "all" })).toEqual(host);
  expect(selectVariables(host, { policy: "core" })).toEqual(core);
  expect(selectVariables(host, { policy: "none" })).toEqual({});
});

test("allow and deny list single names, deny takes precedence, and set adds values [loop-4.2-10]", () => {
  const host = { PATH: "/bin", A_TOKEN: "a", B_TOKEN: "b", PLAIN: "p" };
  const rules = { allow: ["a_token", "B_TOKEN"], deny: ["B_TOKEN", "plain"], set: { C_TOKEN: "c" } };
  expect(selectVariables(host, rules)).toEqual({ PATH: "/bin", A_TOKEN: "a", C_TOKEN: "c" });
});

test("names in allow and deny match variables in any case [loop-4.2-10]", () => {
  const host = { Http_Proxy: "http://proxy", no_proxy: "localhost", Acme_Token: "t" };
  const rules = { allow: ["ACME_TOKEN"], deny: ["HTTP_PROXY", "NO_Proxy"] };
  expect(selectVariables(host, rules)).toEqual({ Acme_Token: "t" });
});

test("startup files of shells are not passed in variables", () => {
  expect(selectVariables({ BASH_ENV: "/home/me/.bashrc", ENV: "/x" })).toEqual({});
});

test("a variable called __proto__ is an ordinary variable", () => {
  const host: Record<string, string> = Object.fromEntries([["__proto__", "x"]]);
  expect(Object.keys(selectVariables(host))).toEqual(["__proto__"]);
});

test("rules of a call are merged with those of the environment", () => {
  const merged = mergeVariableRules(
    { policy: "core", deny: ["A"], set: { X: "1", Y: "1" } },
    { deny: ["B"], set: { X: "2" } },
  );
  expect(merged).toEqual({ policy: "core", allow: [], deny: ["A", "B"], set: { X: "2", Y: "1" } });
});

test("git settings of a command are appended to those of the host", () => {
  const host = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "/a" };
  const set = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.pager", GIT_CONFIG_VALUE_0: "cat" };
  const both = { ...host, GIT_CONFIG_COUNT: "2", GIT_CONFIG_KEY_1: "core.pager", GIT_CONFIG_VALUE_1: "cat" };
  expect(selectVariables(host, { policy: "core", allow: Object.keys(host), set })).toEqual(both);
  expect(selectVariables(host, { policy: "core", set })).toEqual(set);
  expect(selectVariables({ ...host, GIT_CONFIG_COUNT: "-1" }, { allow: Object.keys(host), set })).toEqual({
    ...host,
    ...set,
  });
});
