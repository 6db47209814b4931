import { expect, test } from "vitest";
import { SETTING_NAMES, SETTINGS } from "./setting-definitions.ts";
import { parseSettings } from "./settings-layer.ts";
import { SETTINGS_TEMPLATE } from "./settings-template.ts";

const PATH = "/project/switchyard.yaml";
const SETTING = /^# ([a-z_]+): .+$/gm;
const IN_PROJECTS = SETTING_NAMES.filter((name) => SETTINGS[name].project);

test("a new settings file sets nothing", async () => {
  const { values } = await parseSettings({ path: PATH, text: SETTINGS_TEMPLATE }, "project");
  expect([...values]).toEqual([]);
});

test("it has every setting that a project may contain, each once", () => {
  const named = [...SETTINGS_TEMPLATE.matchAll(SETTING)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(IN_PROJECTS.toSorted());
});

test.each([...SETTINGS_TEMPLATE.matchAll(SETTING)].map(([line, name]) => [name, line]))(
  "%s is valid when its line is uncommented",
  async (name, line = "") => {
    const text = SETTINGS_TEMPLATE.replace(line, line.replace(/^# /, ""));
    const { values } = await parseSettings({ path: PATH, text }, "project");
    expect([...values.keys()]).toEqual([name]);
  },
);

test("it names every setting that only a user may set", () => {
  const end = SETTINGS_TEMPLATE.slice(SETTINGS_TEMPLATE.indexOf("# Only your own"));
  for (const name of SETTING_NAMES)
    expect(new RegExp(`\\b${name}\\b`).test(end), name).toBe(!IN_PROJECTS.includes(name));
});
