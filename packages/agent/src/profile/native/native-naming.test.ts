import type { WebFetcher, WebSearcher } from "@switchyard/contracts";
import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { type Files, openWorkspace } from "../../../test/open-workspace.ts";
import { collect, createSession, dataOf, textsOf } from "../../../test/run-session.ts";
import { callTool, createProfile, PROFILE_FAMILIES, type ProviderProfile, type ToolCallResult } from "../../index.ts";

const layers = { environmentContext: "", tools: [], projectDocuments: "" };

function nativeProfile(family: string): ProviderProfile {
  return createProfile(family, { model: "m", toolNames: "native", webFetcher, webSearcher });
}

const fetched: string[] = [];
const webFetcher: WebFetcher = {
  fetch: async (url) => {
    fetched.push(url);
    return { url, status: 200, mediaType: "text/html", content: "page", truncated: false };
  },
};
const webSearcher: WebSearcher = { search: async () => [{ title: "Hit", url: "https://example.org/" }] };

interface NativeCall {
  readonly family: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly files?: Files;
}

async function call({ family, name, args, files = {} }: NativeCall): Promise<ToolCallResult & { after: string }> {
  await using workspace = await openWorkspace(files);
  const { environment } = workspace;
  const result = await callTool({ profile: nativeProfile(family), environment, name, arguments: args });
  const after = (await environment.exists("a.txt")) ? await workspace.read("a.txt") : "";
  return { ...result, after };
}

describe("native naming [loop-3.1-3]", () => {
  test.each([
    {
      family: "openai",
      names:
        "read_file apply_patch write_file exec_command shell_output shell_kill grep_files glob spawn_agent send_input wait close_agent list_dir web_search web_fetch",
    },
    {
      family: "anthropic",
      names: "Read Write Edit Bash TaskOutput TaskStop Grep Glob Agent send_input wait close_agent WebSearch WebFetch",
    },
    {
      family: "gemini",
      names:
        "read_file read_many_files write_file replace run_shell_command read_background_output shell_kill grep_search glob list_directory invoke_agent send_input wait close_agent google_web_search web_fetch",
    },
  ])("$family models see the names of the vendor's own agent", ({ family, names }) => {
    expect(
      nativeProfile(family)
        .tools()
        .map(({ name }) => name)
        .join(" "),
    ).toBe(names);
  });

  test("without it every family sees the specification's names", () => {
    for (const family of PROFILE_FAMILIES) {
      const names = createProfile(family, { model: "m" })
        .tools()
        .map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["read_file", "write_file", "shell", "grep", "glob"]));
      expect(createProfile(family, { model: "m", toolNames: "specification" }).tools()).toEqual(
        createProfile(family, { model: "m" }).tools(),
      );
    }
  });

  test.each(PROFILE_FAMILIES)(
    "the prompt and the descriptions of %s speak of no name that is not offered",
    (family) => {
      const profile = nativeProfile(family);
      const ownProfile = createProfile(family, { model: "m", webFetcher, webSearcher });
      const ownNames = new Set(
        ownProfile.tools().flatMap(({ name, parameters }) => [name, ...propertiesOf(parameters)]),
      );
      for (const { name, parameters } of profile.tools()) {
        for (const word of [name, ...propertiesOf(parameters)]) ownNames.delete(word);
      }
      const texts = profile.buildSystemPrompt({ ...layers, tools: profile.tools() }) + JSON.stringify(profile.tools());
      const stale = [...ownNames].filter((name) => name.includes("_") && new RegExp(`\\b${name}\\b`).test(texts));
      expect(stale).toEqual([]);
    },
  );

  test.each([
    { family: "anthropic", name: "Write", args: { file_path: "a.txt", content: "new" }, after: "new" },
    {
      family: "anthropic",
      name: "Edit",
      args: { file_path: "a.txt", old_string: "one", new_string: "1", replace_all: true },
      after: "1\n1\ntwo\n",
    },
    {
      family: "gemini",
      name: "replace",
      args: { file_path: "a.txt", old_string: "one", new_string: "1", allow_multiple: true, instruction: "shorter" },
      after: "1\n1\ntwo\n",
    },
    {
      family: "openai",
      name: "apply_patch",
      args: { input: "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch" },
      after: "one\none\n2\n",
    },
    {
      family: "openai",
      name: "exec_command",
      args: { cmd: "pwd > ../a.txt", workdir: "sub" },
      after: expect.stringMatching(/\/sub\n$/),
    },
    {
      family: "gemini",
      name: "run_shell_command",
      args: { command: "pwd > ../a.txt", dir_path: "sub" },
      after: expect.stringMatching(/\/sub\n$/),
    },
  ])("$family: $name does the same as the canonical tool", async ({ family, name, args, after }) => {
    const result = await call({ family, name, args, files: { "a.txt": "one\none\ntwo\n", "sub/b.txt": "" } });
    expect(result.content).not.toContain("Error");
    expect(result).toMatchObject({ isError: false, after });
  });

  test("ranges by first and last line, and the position to continue at, use the vendor's names", async () => {
    const files = { "a.txt": "1\n2\n3\n4\n5\n" };
    const window = { file_path: "a.txt", start_line: 2, end_line: 3 };
    const result = await call({ family: "gemini", name: "read_file", args: window, files });
    expect(result.content).toBe("2 | 2\n3 | 3\n[There are more lines. Read on with start_line 4.]");
  });

  test("a search has the vendor's defaults", async () => {
    const files = { "a.txt": "x\nFound\ny\n", "b.txt": "found\n" };
    const search = (family: string, name: string, args: Record<string, unknown>): Promise<ToolCallResult> =>
      call({ family, name, args: { pattern: "found", ...args }, files });
    expect((await search("anthropic", "Grep", {})).content).toBe("b.txt");
    expect(
      (await search("anthropic", "Grep", { "-i": true, output_mode: "content", "-A": 1, glob: "a.*" })).content,
    ).toBe("a.txt:2:Found\na.txt-3-y");
    expect((await search("gemini", "grep_search", {})).content.split("\n")).toHaveLength(2);
    expect((await search("gemini", "grep_search", { case_sensitive: true })).content).toBe("b.txt:1:found");
    expect((await search("openai", "grep_files", { include: "b.*", limit: 1 })).content).toBe("b.txt:1:found");
  });

  test.each([
    [{ "-A": 1 }, "2: 3- 5: 6: 7-"],
    [{ "-B": 1 }, "1- 2: 4- 5: 6:"],
    [{ "-A": 2, "-B": 0 }, "2: 3- 4- 5: 6: 7- 8-"],
    [{ "-C": 1 }, "1- 2: 3- 4- 5: 6: 7-"],
    [{ "-C": 1, "-A": 0 }, "1- 2: 4- 5: 6:"],
    [{}, "2: 5: 6:"],
  ])("a search shows the requested lines before and after a match: %j", async (args, lines) => {
    const files = { "a.txt": "a\nfound\nb\nc\nfound\nfound\nd\ne\n", "b.txt": "found\n" };
    const search = { pattern: "found", output_mode: "content", ...args };
    const { content } = await call({ family: "anthropic", name: "Grep", args: search, files });
    const shown = content.split("\n").map((line) => line.replace(/^a\.txt[:-](\d+)([:-]).*/, "$1$2"));
    expect(shown).toEqual([...lines.split(" "), "b.txt:1:found"]);
  });

  test("timeouts are the tool's own, under the vendor's name", async () => {
    const result = await call({ family: "anthropic", name: "Bash", args: { command: "sleep 60", timeout: 50 } });
    expect(result.content).toContain("timed out after 50ms");
    expect(result.content).toContain("setting the timeout parameter");
  });

  test("the address is found in the prompt that gemini-cli's tool takes", async () => {
    const args = { prompt: "Summarise (https://example.org/a?b=c), please." };
    expect(await call({ family: "gemini", name: "web_fetch", args })).toMatchObject({ isError: false });
    expect(fetched.at(-1)).toBe("https://example.org/a?b=c");
  });

  test("limits apply to the tool itself, and the host may use either name", async () => {
    const files = { "a.txt": `${"x".repeat(100)}\n`.repeat(1_000) };
    const args = { file_path: "a.txt" };
    const read = await call({ family: "anthropic", name: "Read", args, files });
    expect(read.content.length).toBeLessThanOrEqual(50_000);
    expect(read.content).toContain("[WARNING: Tool output was truncated.");
    await using workspace = await openWorkspace(files);
    for (const name of ["Read", "read_file"]) {
      const result = await callTool({
        profile: nativeProfile("anthropic"),
        environment: workspace.environment,
        name: "Read",
        arguments: args,
        config: { toolOutputLimits: { [name]: 500 } },
      });
      expect(result.content.length).toBeLessThanOrEqual(500);
    }
  });

  test("arguments are checked under the vendor's names", async () => {
    const result = await call({ family: "openai", name: "exec_command", args: { command: "true" } });
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining("'cmd'") });
  });

  test("events and history show the vendor's name, permissions may name either", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      profile: nativeProfile("anthropic"),
      allowedTools: ["shell", "Read"],
      steps: [toolCall("Bash", { command: "echo hi" }), text("done")],
    });
    const events = await collect(session.submit("go"));
    expect(session.toolRegistry.names()).toEqual(["Read", "Bash"]);
    expect(dataOf(events, "tool_call_start")).toMatchObject([{ name: "Bash" }]);
    expect(dataOf(events, "tool_call_end")).toMatchObject([{ name: "Bash", is_error: false }]);
    expect(session.history[2]).toMatchObject({ results: [{ name: "Bash" }] });
  });

  test("tools that a session brings itself have the vendor's names as well", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      profile: nativeProfile("anthropic"),
      skills: [{ name: "greet", description: "How to greet.", instructions: "Say hello." }],
      steps: [toolCall("Skill", { skill: "greet" }), text("done")],
    });
    const [end] = dataOf(await collect(session.submit("go")), "tool_call_end");
    expect(end).toMatchObject({ name: "Skill", is_error: false, content: expect.stringContaining("Say hello.") });
    expect(textsOf(client.requests[0], "system").join()).toContain("call the tool `Skill`");
  });

  test("the tool's own name, effects and arguments can be had for rules", () => {
    const bash = nativeProfile("anthropic").toolRegistry.get("Bash");
    expect(bash).toMatchObject({ canonicalName: "shell", effects: "unsafe" });
    expect(bash?.toCanonicalArguments?.({ command: "x", timeout: 5, run_in_background: true })).toEqual({
      command: "x",
      timeout_ms: 5,
      background: true,
    });
  });
});

function propertiesOf(schema: Readonly<Record<string, unknown>>): string[] {
  const { properties } = schema;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
