import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDefaultRegistry, digestSkills, type LoadSkillsOptions, loadSkills, runSession } from "../src/index.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skills-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

/** Loads skills from the folders `project` and `home`. */
async function load(options: Partial<LoadSkillsOptions> = { trusted: true }) {
  for (const folder of ["project", "home"]) await mkdir(join(root, folder), { recursive: true });
  await using workspace = await openLocalEnvironment({ root: join(root, "project") });
  await using user = await openLocalEnvironment({ root: join(root, "home") });
  return await loadSkills({ workspace, user, ...options });
}

function skill(name: string, description = `Does ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`;
}

describe("skills and commands", () => {
  test("come from the folders of a trusted workspace and of the user [loop-8-2]", async () => {
    await write("project/.agents/skills/release/SKILL.md", skill("release"));
    await write("project/.claude/skills/deploy/SKILL.md", `\uFEFF${skill("deploy").replaceAll("\n", "\r\n")}`);
    await write("project/.switchyard/skills/test/SKILL.md", skill("test"));
    await write("home/.claude/skills/notes/SKILL.md", skill("notes"));
    await write("project/.agents/commands/fix.md", "---\nargument-hint: '[file]'\ndescription: Fixes.\n---\nFix $1.");
    await write("home/.agents/commands/plain.md", "No front matter.\n");
    const { skills, commands, notices } = await load();
    expect(notices).toEqual([]);
    expect(skills.map(({ name, source }) => [name, source])).toEqual([
      ["test", ".switchyard/skills/test/SKILL.md"],
      ["release", ".agents/skills/release/SKILL.md"],
      ["deploy", ".claude/skills/deploy/SKILL.md"],
      ["notes", expect.stringMatching(/^\/.*home\/\.claude\/skills\/notes\/SKILL\.md$/)],
    ]);
    expect(skills[1]).toMatchObject({ description: "Does release.", instructions: "# release" });
    expect(commands).toEqual([
      {
        ...{ name: "fix", description: "Fixes.", argumentHint: "[file]", template: "Fix $1." },
        source: ".agents/commands/fix.md",
      },
      { name: "plain", template: "No front matter.", source: expect.stringContaining("plain.md") },
    ]);
  });

  test("of one name: the nearer wins", async () => {
    await write("home/.switchyard/skills/a/SKILL.md", skill("same", "the user's"));
    await write("project/.claude/skills/b/SKILL.md", skill("same", "the project's"));
    await write("project/.agents/skills/c/SKILL.md", skill("same", "the nearest"));
    expect((await load()).skills.map(({ description }) => description)).toEqual(["the nearest"]);
  });

  test("of one name in one folder: the one in the folder with that name takes precedence, and the others are named in notices", async () => {
    await write("project/.agents/skills/a/SKILL.md", skill("same", "in a"));
    await write("project/.agents/skills/same/SKILL.md", skill("same", "in its own"));
    await write("project/.agents/skills/z/SKILL.md", skill("same", "in z"));
    await write("project/.agents/commands/do it.md", "One.");
    await write("project/.agents/commands/do-it.md", "Two.");
    const { skills, commands, notices } = await load();
    expect(skills.map(({ description }) => description)).toEqual(["in its own"]);
    expect(commands.map(({ template }) => template)).toEqual(["Two."]);
    expect(notices.map(({ message }) => message)).toEqual([
      ".agents/skills/a/SKILL.md is left out: .agents/skills/same/SKILL.md has the same name same.",
      ".agents/skills/z/SKILL.md is left out: .agents/skills/same/SKILL.md has the same name same.",
      ".agents/commands/do it.md is left out: .agents/commands/do-it.md has the same name do-it.",
    ]);
  });

  test("of an untrusted workspace are not read at all [decision-20]", async () => {
    await write("project/.agents/skills/release/SKILL.md", skill("release"));
    await write("home/.agents/commands/mine.md", "Mine.");
    const touched: string[] = [];
    await using workspace = await openLocalEnvironment({ root: join(root, "project") });
    const watched = new Proxy(workspace, {
      get: (target, name) => {
        touched.push(String(name));
        return Reflect.get(target, name);
      },
    });
    for (const trusted of [false, undefined]) {
      const { skills, commands } = await load({ workspace: watched, trusted });
      expect([skills, commands.map(({ name }) => name)]).toEqual([[], ["mine"]]);
    }
    expect(touched).toEqual([]);
  });

  test("get names and descriptions that fit into a prompt", async () => {
    await write(
      "project/.agents/skills/a/SKILL.md",
      skill('"../My skill!\\u001b[2J"', `|\n  one\n  two ${"x".repeat(2_000)}`),
    );
    await write("project/.agents/commands/my command.md", "Do it.");
    const { skills, commands } = await load();
    expect(skills[0]?.name).toBe("My-skill-2J");
    expect(skills[0]?.description).toMatch(/^one two x{1016}$/);
    expect(commands[0]?.name).toBe("my-command");
  });
});

describe("an invalid file", () => {
  test("is omitted, named, and delays nothing", async () => {
    await write("project/.agents/skills/good/SKILL.md", skill("good"));
    const bad: Readonly<Record<string, string | Uint8Array>> = {
      open: "---\nname: x\n",
      yaml: "---\nname: [\n---\nbody",
      twice: "---\nname: a\nname: b\n---\nbody",
      list: "---\n- a\n---\nbody",
      bomb: `---\na: &a [x, x]\nb: &b [*a, *a]\ndescription: *b\n---\nbody`,
      deep: `---\na: ${"[".repeat(8_000)}\n---\nbody`,
      long: `---\nname: ${"x".repeat(20_000)}\n---\nbody`,
      huge: `${skill("huge")}${"x".repeat(300 * 1024)}`,
      binary: new Uint8Array([0, 1, 2, 0]),
      undescribed: "---\nname: x\n---\nbody",
      empty: "---\nname: x\ndescription: y\n---\n",
      nameless: '---\nname: "!!"\ndescription: y\n---\nbody',
    };
    for (const [name, content] of Object.entries(bad)) await write(`project/.agents/skills/${name}/SKILL.md`, content);
    await mkdir(join(root, "project/.agents/skills/none"));
    await write("secret.md", skill("secret"));
    await mkdir(join(root, "project/.agents/skills/linked"));
    await symlink(join(root, "secret.md"), join(root, "project/.agents/skills/linked/SKILL.md"));
    const { skills, notices } = await load();
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    const named = notices.map(({ message }) => /skills\/(\w+)\/SKILL\.md is left out: ./.exec(message)?.[1]);
    expect(named.sort()).toEqual([...Object.keys(bad), "linked"].sort());
    expect(JSON.stringify(notices)).not.toContain("\u001b");
  });

  test("is omitted if its name contains control characters, which are not printed", async () => {
    await write("project/.switchyard/commands/a\u001b[2J.md", "run");
    await write("project/.switchyard/skills/b\u202e/SKILL.md", skill("b"));
    const { skills, commands, notices } = await load();
    expect([skills, commands]).toEqual([[], []]);
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringContaining(".switchyard/skills/b\uFFFD/SKILL.md is left out"),
      expect.stringContaining(".switchyard/commands/a\uFFFD[2J.md is left out"),
    ]);
  });

  test("never fails a session, whatever it contains", async () => {
    await mkdir(join(root, "project/.agents/skills/any"), { recursive: true });
    await using workspace = await openLocalEnvironment({ root: join(root, "project") });
    const piece = fc.oneof(
      fc.constantFrom(
        "---\n",
        "name: ",
        "description: ",
        "&a ",
        "*a",
        "[",
        "{",
        "\n",
        "x",
        "!!js/function ",
        "__proto__: ",
      ),
      fc.string({ maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        await write("project/.agents/skills/any/SKILL.md", pieces.join(""));
        const { skills, notices } = await loadSkills({ workspace, trusted: true });
        expect(skills.length + notices.length).toBe(1);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a skill whose files were trusted", () => {
  const SKILL = "project/.agents/skills/release";

  async function digests() {
    await using workspace = await openLocalEnvironment({ root: join(root, "project") });
    return await digestSkills(workspace);
  }

  test("is compared again when the model asks for its instructions [decision-32]", async () => {
    await write(`${SKILL}/SKILL.md`, skill("release"));
    await write(`${SKILL}/scripts/run.sh`, "echo one");
    const { files } = await digests();
    expect([...files.keys()]).toEqual([".agents/skills/release/SKILL.md", ".agents/skills/release/scripts/run.sh"]);
    await using workspace = await openLocalEnvironment({ root: join(root, "project") });
    const { skills } = await loadSkills({ workspace, trusted: files });
    const read = skills[0]?.instructions;
    if (typeof read !== "function") throw new Error("the instructions are not read at use");
    expect(await read()).toBe("# release");
    await write(`${SKILL}/scripts/run.sh`, "echo two");
    await expect(read()).rejects.toThrow("its scripts/run.sh has changed since the folder was trusted");
  });

  test("is bound to every file in its folder, through links, in the same order each time", async () => {
    await write(`${SKILL}/SKILL.md`, skill("release"));
    await write(`${SKILL}/a/b/c.txt`, "c");
    await write(`${SKILL}/.hidden/x`, new Uint8Array([0, 255]));
    await write("project/shared/tool.sh", "echo tool");
    await symlink("../../../shared", join(root, SKILL, "tools"));
    await symlink("../../../nowhere", join(root, SKILL, "dangling"));
    const first = await digests();
    expect([...first.files.keys()].sort()).toEqual(
      ["SKILL.md", "a/b/c.txt", ".hidden/x", "tools/tool.sh"].map((name) => `.agents/skills/release/${name}`).sort(),
    );
    expect(await digests()).toEqual(first);
  });

  const tooMuch: Record<string, () => Promise<unknown>> = {
    "more than 16 folders": () => write(`${SKILL}/${"d/".repeat(17)}x`, "x"),
    "more than 2000 files": async () => {
      await mkdir(join(root, SKILL, "many"), { recursive: true });
      for (let index = 0; index < 2_000; index += 1) await writeFile(join(root, SKILL, "many", `${index}`), "");
    },
    "larger than 64 MiB": async () => {
      await write(`${SKILL}/one`, new Uint8Array(40 * 1024 * 1024));
      await write(`${SKILL}/two`, new Uint8Array(40 * 1024 * 1024));
    },
    "its link out cannot be followed": () => symlink(root, join(root, SKILL, "out")),
    "more than 16 folders in it are nested": () => symlink(".", join(root, SKILL, "loop")),
  };

  test.each(Object.keys(tooMuch))("is left out and named if it cannot be compared: %s", async (problem) => {
    await write(`${SKILL}/SKILL.md`, skill("release"));
    await write("project/.agents/skills/other/SKILL.md", skill("other"));
    const { files: before } = await digests();
    await tooMuch[problem]?.();
    const { files, notices } = await digests();
    expect([...files.keys()]).toEqual([".agents/skills/other/SKILL.md"]);
    expect(notices.map(({ message }) => message)).toEqual([expect.stringContaining(problem)]);
    await using workspace = await openLocalEnvironment({ root: join(root, "project") });
    const { skills } = await loadSkills({ workspace, trusted: before });
    expect(skills.map(({ name }) => name)).toEqual(["other"]);
  });
});

describe("the built-in agent", () => {
  async function run(trusted: boolean) {
    await write("project/.agents/skills/release/SKILL.md", skill("release"));
    await write("project/.agents/commands/ship.md", "Ship $1 now.");
    await write("project/.claude/commands/bad.md", "---\nopen");
    const client = scriptedClient([toolCall("skill", { name: "release" }), text("done")]);
    const registry = createDefaultRegistry({ client, model: "anthropic/claude", skills: { trusted } });
    const report = await runSession(
      { messages: [{ role: "user", content: "/ship it" }] },
      {
        engine: "agent",
        registry,
        environment: { type: "local", root: join(root, "project") },
        stateDirectory: join(root, "state"),
      },
    );
    return { client, report };
  }

  test("offers them if the workspace is trusted, and reports the omitted ones [loop-8-2]", async () => {
    const { client, report } = await run(true);
    const [system, user] = JSON.parse(JSON.stringify(client.requests[0]?.messages));
    expect(system.parts[0].text).toContain("- release: Does release.");
    expect(user.parts[0].text).toBe("Ship it now.");
    expect(JSON.stringify(client.requests[1]?.messages.at(-1))).toContain("# release");
    expect(report.status).toBe("completed");
  });

  test("has none of them otherwise", async () => {
    const { client } = await run(false);
    expect(JSON.stringify(client.requests[0]?.messages)).not.toContain("Does release.");
    expect(JSON.stringify(client.requests[0]?.messages.at(-1))).toContain("/ship it");
    expect(client.requests[0]?.tools?.some(({ name }) => name === "skill")).toBe(false);
  });
});
