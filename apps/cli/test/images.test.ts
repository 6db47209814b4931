import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginAnswer, endAnswer, startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const DATA = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const env = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

test("the model is shown the pictures that are named, by what they are and not by what they are called", async () => {
  const { baseUrl, bodies } = await startLoopbackModel((response) => {
    beginAnswer(response);
    endAnswer(response, "wer: two dots.");
  });
  const cwd = await makeFolder();
  for (const name of ["one.png", "two.jpg"]) await writeFile(join(cwd, name), Buffer.from(DATA, "base64"));
  const words = ["run", "--model", "anthropic/test-model", "--base-url", baseUrl, "--image", "one.png"];
  const run = await switchyard([...words, "--image", "two.jpg", "What are they?"], { cwd, env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).not.toContain(DATA);
  const source = { type: "base64", media_type: "image/png", data: DATA };
  const image = { type: "image", source };
  expect(JSON.parse(bodies[0] ?? "null")).toMatchObject({
    messages: [{ role: "user", content: [{ type: "text", text: "What are they?" }, image, image] }],
  });
});

test("what is no picture, or cannot be read, is refused before anything runs", async () => {
  const cwd = await makeFolder({ "notes.png": "no picture", "input.json": "{}" });
  const start = (...words: string[]) => switchyard(["run", "--model", "anthropic/m", ...words], { cwd, env });
  const text = await start("--image", "notes.png", "What is it?");
  expect(text).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("it is no PNG, JPEG, GIF or WebP"),
  });
  const missing = await start("--image", "missing.png", "What is it?");
  expect(missing).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("missing.png") });
  expect(await start("--image", "notes.png", "--input", "input.json")).toMatchObject({ exitCode: 2, stdout: "" });
});

test("a picture that the API refuses is left out, and a continued run does not send it again", async () => {
  const { baseUrl, bodies } = await startLoopbackModel((response) => {
    if (bodies.at(-1)?.includes(DATA) === true) {
      response.writeHead(400, { "content-type": "application/json" });
      const error = { type: "invalid_request_error", message: "Could not process image" };
      response.end(JSON.stringify({ type: "error", error }));
      return;
    }
    beginAnswer(response);
    endAnswer(response, "wer: no picture.");
  });
  const cwd = await makeFolder();
  // The runs of a user are kept in the home folder.
  const place = { cwd, env: { ...env, HOME: await makeFolder() } };
  await writeFile(join(cwd, "one.png"), Buffer.from(DATA, "base64"));
  const words = ["run", "--model", "anthropic/test-model", "--base-url", baseUrl];
  const run = await switchyard([...words, "--image", "one.png", "What is it?"], place);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toContain("no picture.");
  expect(run.stdout).toContain("The API refused an image");
  expect(bodies.map((body) => body.includes(DATA))).toEqual([true, false]);
  const continued = await switchyard([...words, "--continue", "Go on."], place);
  expect(continued.exitCode).toBe(0);
  expect(bodies.map((body) => body.includes(DATA))).toEqual([true, false, false]);
});
