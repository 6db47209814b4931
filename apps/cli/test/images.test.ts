import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { beginAnswer, endAnswer, startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const DATA = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const env = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Returns a black PNG image of one row. */
function pngRow(width: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(1, 4);
  header.writeUInt8(8, 8);
  const chunks = [
    ["IHDR", header],
    ["IDAT", deflateSync(Buffer.alloc(width + 1))],
    ["IEND", Buffer.alloc(0)],
  ] as const;
  const written = chunks.flatMap(([type, data]) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(named));
    return [length, named, checksum];
  });
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...written]);
}

test("the model receives the named images, with the type of their content and not of their extension", async () => {
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

test("a file that is not an image, or cannot be read, is refused before anything runs", async () => {
  const cwd = await makeFolder({ "notes.png": "no picture", "input.json": "{}" });
  const start = (...words: string[]) => switchyard(["run", "--model", "anthropic/m", ...words], { cwd, env });
  const text = await start("--image", "notes.png", "What is it?");
  expect(text).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("its bytes are not those of a PNG, JPEG, GIF or WebP image"),
  });
  const missing = await start("--image", "missing.png", "What is it?");
  expect(missing).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("missing.png") });
  expect(await start("--image", "notes.png", "--input", "input.json")).toMatchObject({ exitCode: 2, stdout: "" });
});

const PNG = Buffer.from(DATA, "base64");
const FLIPPED = Buffer.from(PNG);
FLIPPED[20] = 9;

test.each([
  ["a PNG that is cut off", PNG.subarray(0, 40), "truncated"],
  ["a PNG with a wrong checksum", FLIPPED, "a checksum is wrong"],
  ["a JPEG that is cut off", Buffer.from("ffd8ffe000104a46494600010101", "hex"), "truncated"],
  ["a PNG with longer sides than providers accept", pngRow(8_001), "8001 × 1 pixels"],
  [
    "a PNG with more bytes than providers accept",
    Buffer.concat([PNG, Buffer.alloc(6 << 20)]),
    "exceeds the limit of 5242880",
  ],
])("%s is refused before the run begins", async (_, bytes, problem) => {
  const cwd = await makeFolder();
  await writeFile(join(cwd, "one.png"), bytes);
  const { baseUrl, bodies } = await startLoopbackModel((response) => response.destroy());
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--image", "one.png", "What is it?"];
  const run = await switchyard(words, { cwd, env });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("The input one.png cannot be read: ");
  expect(run.stderr).toContain(problem);
  expect(bodies).toEqual([]);
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
  // A user's runs are stored in the home folder.
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
