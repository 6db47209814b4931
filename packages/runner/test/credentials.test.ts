import { join } from "node:path";
import { findApiKey } from "@switchyard/runner";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { credentialsFileOf } from "./credentials-file-of.ts";

async function keyOf(sources: Partial<Parameters<typeof findApiKey>[0]>): Promise<string | undefined> {
  return (await findApiKey({ provider: "openai", env: {}, ...sources }))?.reveal();
}

test("a key that is handed in wins, then the provider's variable, any variable, and the file [custom-templates-7]", async () => {
  const file = await credentialsFileOf("openai: from-the-file\n");
  const env = { OPENAI_API_KEY: "from-its-variable", SWITCHYARD_API_KEY: "from-any-variable" };
  expect(await keyOf({ given: "handed-in", env, file })).toBe("handed-in");
  expect(await keyOf({ given: secret("wrapped"), env, file })).toBe("wrapped");
  expect(await keyOf({ env, file })).toBe("from-its-variable");
  expect(await keyOf({ env: { ...env, OPENAI_API_KEY: " " }, file })).toBe("from-any-variable");
  expect(await keyOf({ file })).toBe("from-the-file");
  expect(await keyOf({ provider: "acme-ai", env: { ACME_AI_API_KEY: "by-its-name" } })).toBe("by-its-name");
  expect(await keyOf({})).toBeUndefined();
  expect(await keyOf({ file: join(file, "nothing", "there") })).toBeUndefined();
});

test("the file has a key for each provider, or for all others", async () => {
  const file = await credentialsFileOf("openai:\n  api_key: ' one '\nanthropic: two\ndefault: three\n");
  expect(await keyOf({ file })).toBe("one");
  expect(await keyOf({ provider: "anthropic", file })).toBe("two");
  expect(await keyOf({ provider: "gemini", file })).toBe("three");
  expect(await keyOf({ provider: "", file })).toBe("three");
  expect(await keyOf({ provider: "constructor", file: await credentialsFileOf("openai: one\n") })).toBeUndefined();
  expect(await keyOf({ file: await credentialsFileOf("") })).toBeUndefined();
});

test.each([0o640, 0o604, 0o660, 0o644])("a file that others may read is refused (%o)", async (mode) => {
  const file = await credentialsFileOf("openai: the-key-itself\n", mode);
  await expect(keyOf({ file })).rejects.toMatchObject({ code: "credentials.exposed" });
});

test.each(["- openai\n", "openai: [1]\n", "openai: 'half\n", "openai: 5\n"])(
  "%j is refused, and not repeated",
  async (text) => {
    const file = await credentialsFileOf(text);
    await expect(keyOf({ file })).rejects.toMatchObject({
      code: "credentials.invalid",
      message: expect.not.stringContaining("half"),
    });
  },
);
