import { expect, test } from "vitest";
import { mergeSettings } from "./merge-settings.ts";
import { resolveSettings, type SettingSources } from "./resolve-settings.ts";
import { SETTING_NAMES, type SettingName } from "./setting-definitions.ts";
import type { SettingValue } from "./settings-layer.ts";

function resolve(values: readonly [SettingName, SettingValue][], options: Partial<SettingSources> = {}) {
  const files = mergeSettings([{ whose: "user", path: "/config.yaml", values: new Map(values) }]);
  const resolved = resolveSettings({
    ...{ names: SETTING_NAMES, files, env: {}, isGiven: () => false, defaultEnvironment: "local" },
    ...options,
  });
  return Object.fromEntries([...resolved].map(([name, { value }]) => [name, value]));
}

test("a variable takes precedence over files, and a given value over both", () => {
  const env = { SWITCHYARD_ENV: "sandbox" };
  expect(resolve([["env", "memory"]])).toEqual({ env: "memory" });
  expect(resolve([["env", "memory"]], { env })).toEqual({ env: "sandbox" });
  expect(resolve([["env", "memory"]], { env, isGiven: (name) => name === "env" })).toEqual({});
});

test("lists and settings of a SessionInput apply even if a value was given", () => {
  const values: [SettingName, SettingValue][] = [
    ["deny", ["shell"]],
    ["model", "a/b"],
  ];
  const isGiven = (name: SettingName): boolean => name === "deny" || name === "model";
  expect(resolve(values, { isGiven })).toEqual({ deny: ["shell"], model: "a/b" });
});

test("a given permission or mode variable replaces permissions of files, and a given folder the store", () => {
  expect(resolve([["mode", "plan"]], { isGiven: (name) => name === "approve" })).toEqual({});
  expect(resolve([["approve", "always"]], { env: { SWITCHYARD_MODE: "plan" } })).toEqual({ mode: "plan" });
  expect(resolve([["store", "nats://h/n"]], { isGiven: (name) => name === "state" })).toEqual({});
});

test("settings that the environment does not support are omitted, and invalid values are refused", () => {
  const network: [SettingName, SettingValue][] = [["env_network", "mine"]];
  expect(resolve(network)).toEqual({});
  expect(resolve(network, { environment: "docker:node:22" })).toEqual({ env_network: "mine" });
  expect(() => resolve(network, { defaultEnvironment: "sandbox" })).toThrow(
    expect.objectContaining({ code: "config.invalid", message: expect.stringContaining("/config.yaml") }),
  );
});
