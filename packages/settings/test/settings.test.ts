import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  digestWorkspace,
  findTrusted,
  ignoredPermission,
  inspectWorkspace,
  listSettings,
  listSettingsFiles,
  loadSettings,
  mergeSettings,
  removeTrust,
  type SettingsContext,
  trustedSkills,
  trustWorkspace,
} from "../src/index.ts";

interface Setup {
  readonly context: SettingsContext;
  readonly project: string;
  readonly writeUser: (text: string) => Promise<void>;
  readonly writeProject: (text: string) => Promise<void>;
}

async function setUp(): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  await mkdir(join(home, ".config", "switchyard"), { recursive: true });
  await mkdir(project);
  return {
    context: { env: { PATH: process.env["PATH"] }, homeDirectory: home, workingDirectory: project, now: () => 0 },
    project,
    writeUser: (text) => writeFile(join(home, ".config", "switchyard", "config.yaml"), text),
    writeProject: (text) => writeFile(join(project, "switchyard.yaml"), text),
  };
}

test("settings of an untrusted project are ignored, with the reason", async () => {
  const { context, writeProject, writeUser } = await setUp();
  await writeUser("model: openai/user-model\n");
  await writeProject("model: openai/project-model\n");
  const { layers, trust, ignored } = await loadSettings(context, { workspace: "." });
  expect({ trust, why: ignored?.why }).toEqual({ trust: "none", why: "the folder is not trusted" });
  expect(mergeSettings(layers).get("model")?.value).toBe("openai/user-model");
});

test("settings of a trusted project take precedence, until the file changes", async () => {
  const { context, project, writeProject, writeUser } = await setUp();
  await writeUser("model: openai/user-model\ndeny: [shell(rm *)]\n");
  await writeProject("model: openai/project-model\ndeny: [shell(git push *)]\n");
  const workspace = await inspectWorkspace(project);
  const { files } = await digestWorkspace(context, workspace);
  await trustWorkspace(context, workspace.path, files);
  const settings = mergeSettings((await loadSettings(context, { workspace: "." })).layers);
  expect(settings.get("model")?.value).toBe("openai/project-model");
  expect(settings.get("deny")?.value).toEqual(["shell(rm *)", "shell(git push *)"]);

  await writeProject("model: openai/another-model\n");
  const changed = await loadSettings(context, { workspace: "." });
  expect(mergeSettings(changed.layers).get("model")?.value).toBe("openai/user-model");
  expect(changed.ignored?.path).toBe(join(workspace.path, "switchyard.yaml"));
});

test("the stricter permission mode of user and project applies", async () => {
  const { context, writeProject, writeUser } = await setUp();
  for (const [user, project, expected] of [
    ["auto", "plan", "plan"],
    ["plan", "auto", "plan"],
    ["ask", "ask", "ask"],
  ] as const) {
    await writeUser(`mode: ${user}\n`);
    await writeProject(`mode: ${project}\n`);
    const { layers } = await loadSettings(context, { workspace: ".", trustWorkspace: true });
    expect(mergeSettings(layers).get("mode")?.value).toBe(expected);
  }
});

test.each([
  ["", "mode: auto", "never", undefined],
  ["", "approve: never", "on-writes", undefined],
  ["", "approve: on-commands", "on-writes", undefined],
  ["", "approve: on-commands", "never", "on-commands"],
  ["", "mode: ask", "on-writes", "ask"],
  ["", "mode: plan", undefined, "plan"],
  ["allow: [shell(npm test)]", "approve: on-commands", "never", undefined],
  ["allow: [shell(npm test)]", "mode: auto", undefined, undefined],
  ["mode: auto", "approve: on-commands", "on-writes", "on-commands"],
] as const)("settings %j of the user and %j of the project, with the default %s, result in %s", async (...row) => {
  const [user, project, defaultApproval, expected] = row;
  const { context, writeProject, writeUser } = await setUp();
  await writeUser(`${user}\n`);
  await writeProject(`${project}\n`);
  const { layers } = await loadSettings(context, { workspace: ".", trustWorkspace: true });
  const settings = mergeSettings(layers, { defaultApproval });
  expect((settings.get("mode") ?? settings.get("approve"))?.value).toBe(expected);
  const ignored = ignoredPermission(layers, { defaultApproval });
  expect(ignored && `${ignored.name}: ${ignored.value}`).toBe(expected === undefined ? project : undefined);
});

test("a project cannot configure where keys are sent, and a typing error names the closest setting", async () => {
  const { context, writeProject } = await setUp();
  const load = () => loadSettings(context, { workspace: ".", trustWorkspace: true });
  await writeProject("base_url: http://127.0.0.1:1\n");
  await expect(load()).rejects.toMatchObject({ code: "config.invalid", message: expect.stringContaining("base_url") });
  await writeProject("modle: openai/x\n");
  await expect(load()).rejects.toMatchObject({ code: "config.invalid", message: expect.stringContaining("model") });
});

test("a settings file that is a symbolic link is refused", async () => {
  const { context, project } = await setUp();
  await symlink("/etc/hostname", join(project, "switchyard.yaml"));
  await expect(inspectWorkspace(project)).rejects.toMatchObject({ code: "config.unreadable" });
  await expect(loadSettings(context, { workspace: ".", trustWorkspace: true })).rejects.toMatchObject({
    code: "config.unreadable",
  });
});

test("removing trust reports whether the workspace was trusted", async () => {
  const { context, project } = await setUp();
  const { path } = await inspectWorkspace(project);
  expect(await removeTrust(context, path)).toBe(false);
  await trustWorkspace(context, path, new Map());
  expect(await findTrusted(context, path)).toMatchObject({ trustedAt: "1970-01-01T00:00:00.000Z" });
  expect(await removeTrust(context, path)).toBe(true);
  expect(await findTrusted(context, path)).toBeUndefined();
});

test("only the user can read the list of trusted workspaces", async () => {
  const { context, project } = await setUp();
  const homeDirectory = join(project, "../new-home");
  const { path } = await inspectWorkspace(project);
  await trustWorkspace({ ...context, homeDirectory }, path, new Map());
  const settings = join(homeDirectory, ".config", "switchyard");
  expect((await stat(settings)).mode & 0o777).toBe(0o700);
  const files = await readdir(settings);
  expect(files).toHaveLength(1);
  for (const name of files) expect((await stat(join(settings, name))).mode & 0o777).toBe(0o600);
});

test("effective settings are listed with their sources", async () => {
  const { context, project, writeUser, writeProject } = await setUp();
  await writeUser("model: openai/user-model\ndeny: [shell(rm *)]\n");
  const before = await loadSettings(context, { workspace: project });
  expect(listSettings(context, before)).toEqual([
    { name: "model", value: "openai/user-model", from: "user" },
    { name: "deny", value: ["shell(rm *)"], from: "user" },
  ]);
  const withVariable = { ...context, env: { ...context.env, SWITCHYARD_MODEL: "openai/variable" } };
  expect(listSettings(withVariable, before)[0]).toEqual({
    ...{ name: "model", value: "openai/variable", from: "SWITCHYARD_MODEL" },
  });
  expect(listSettingsFiles(context, project, before).map(({ state }) => state)).toEqual(["read", "not found"]);

  await writeProject("model: openai/project-model\n");
  const untrusted = await loadSettings(context, { workspace: project });
  expect(listSettingsFiles(context, project, untrusted)[1]).toEqual({
    ...{ whose: "project", path: join(project, "switchyard.yaml"), state: "not used: the folder is not trusted" },
  });
});

test("skills of a trusted folder are used until they change, with a note that names what is not used", async () => {
  const { context, project } = await setUp();
  const skill = async (name: string, text: string): Promise<void> => {
    await mkdir(join(project, ".agents", "skills", name), { recursive: true });
    await writeFile(join(project, ".agents", "skills", name, "SKILL.md"), text);
  };
  await skill("deploy", "---\nname: deploy\ndescription: Deploys.\n---\n");
  expect(await trustedSkills(context, {})).toEqual({
    ...{ skills: { trusted: false, userFolder: context.homeDirectory }, notes: [] },
  });

  const workspace = await inspectWorkspace(project);
  const { files } = await digestWorkspace(context, workspace);
  await trustWorkspace(context, workspace.path, files);
  expect(await trustedSkills(context, { workspace: project })).toMatchObject({ skills: { trusted: files }, notes: [] });
  expect(await trustedSkills(context, {}, "all")).toMatchObject({ skills: { trusted: true }, notes: [] });
  const remote = await trustedSkills(context, { env: "ssh:host:/work" });
  expect(remote).toMatchObject({ skills: { trusted: false }, notes: [] });

  await skill("deploy", "---\nname: deploy\ndescription: Changed.\n---\n");
  await Promise.all(Array.from({ length: 11 }, (_, number) => skill(`new-${number}`, "new")));
  const { notes } = await trustedSkills(context, {});
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/^not used because new or changed since the folder was trusted: \.agents\/skills\//u);
  expect(notes[0]).toContain(".agents/skills/deploy/SKILL.md (changed)");
  expect(notes[0]).toContain(", and 2 more. Review them");
});
