import { EngineError, type ModelRequest } from "@switchyard/contracts";
import { failure, type ScriptStep, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool } from "../../test/run-session.ts";
import { SAMPLE_IMAGES } from "../../test/sample-images.ts";
import { parseSnapshot } from "../index.ts";
import { IMAGE_REFUSALS, isImageRefusal } from "./image-refusal.ts";

const [PNG] = SAMPLE_IMAGES;
const FILES = { "a.png": PNG?.bytes ?? "" };

function refusal(problem = "Could not process image", status = 400): ScriptStep {
  return failure(new EngineError("llm.invalid_request", { provider: "anthropic", status, problem }));
}

function imagesIn(request: ModelRequest | undefined): number {
  const parts = (request?.messages ?? []).flatMap(({ parts: all }) => all);
  return parts.flatMap((part) =>
    part.type === "tool_result" ? (part.images ?? []) : part.type === "image" ? [part] : [],
  ).length;
}

const READ = toolCall("read_file", { file_path: "a.png" });

test("an image that the API refuses is replaced by a note, and the run completes", async () => {
  await using workspace = await openWorkspace(FILES);
  const { session, client } = createSession(workspace, { steps: [READ, refusal(), text("done"), text("more")] });
  const events = await collect(session.submit("look"));
  expect(client.requests.map(imagesIn)).toEqual([0, 1, 0]);
  expect(JSON.stringify(client.requests[2]?.messages)).toContain("left out because the API refused it");
  expect(dataOf(events, "warning")).toMatchObject([{ kind: "image_refused" }]);
  await collect(session.submit("go on"));
  expect(imagesIn(client.requests[3])).toBe(0);
});

test("an image of the user that the API refuses is replaced by a note", async () => {
  await using workspace = await openWorkspace();
  const { session, client } = createSession(workspace, { steps: [refusal(), text("done")] });
  const image = { type: "image", mediaType: "image/png", data: PNG?.bytes.toString("base64") } as const;
  await collect(session.submit({ text: "look", images: [image] }));
  expect(client.requests.map(imagesIn)).toEqual([1, 0]);
});

test("images that were accepted before stay, until the API refuses without new ones", async () => {
  await using workspace = await openWorkspace(FILES);
  const steps = [READ, READ, refusal(), text("done"), refusal(), text("done")];
  const { session, client } = createSession(workspace, { steps });
  await collect(session.submit("look"));
  expect(client.requests.map(imagesIn)).toEqual([0, 1, 2, 1]);
  await collect(session.submit("again"));
  expect(client.requests.map(imagesIn)).toEqual([0, 1, 2, 1, 1, 0]);
});

test("a resumed session does not send a refused image again", async () => {
  await using workspace = await openWorkspace(FILES);
  const { session } = createSession(workspace, { steps: [READ, refusal(), text("done")] });
  await collect(session.submit("look"));
  const snapshot = parseSnapshot(JSON.parse(JSON.stringify(session.save())));
  const { session: resumed, client } = createSession(workspace, { snapshot, steps: [text("more")] });
  await collect(resumed.submit("go on"));
  expect(client.requests.map(imagesIn)).toEqual([0]);
});

test("a rejection without any image to remove fails the input", async () => {
  await using workspace = await openWorkspace();
  const { session, client } = createSession(workspace, { steps: [refusal(), text("unreached")] });
  const events = await collect(session.submit("go"));
  expect(dataOf(events, "error")).toMatchObject([{ code: "llm.invalid_request" }]);
  expect(client.requests).toHaveLength(1);
});

test("images of any tool are decoded, and a broken one is left out with the reason", async () => {
  await using workspace = await openWorkspace();
  const data = PNG?.bytes.subarray(0, 40).toString("base64") ?? "";
  const images = [
    { type: "image", mediaType: "image/png", data },
    { type: "image", mediaType: "image/jpeg", data: PNG?.bytes.toString("base64") ?? "" },
  ] as const;
  const shoot = tool("shoot", () => ({ content: "two pictures", images }));
  const { session, client } = createSession(workspace, { tools: [shoot], steps: [toolCall("shoot"), text("done")] });
  const events = await collect(session.submit("go"));
  expect(dataOf(events, "tool_call_end")).toMatchObject([{ is_error: true }]);
  const [result] = (client.requests[1]?.messages ?? [])
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool_result");
  expect(result?.images).toEqual([{ ...images[1], mediaType: "image/png" }]);
  expect(result?.content).toContain("two pictures");
  expect(result?.content).toContain("Image 1 is not an image that can be sent to a model: it is truncated");
});

describe("refusals", () => {
  const errorOf = (problem: string, status = 400): EngineError =>
    new EngineError("llm.invalid_request", { provider: "p", status, problem });

  test.each([
    "Could not process image",
    "messages.4.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
    "You uploaded an unsupported image. Please make sure your image is valid.",
    "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
    "Unsupported MIME type: png",
    "This model does not support image input",
  ])("%s is one", (problem) => expect(isImageRefusal(errorOf(problem))).toBe(true));

  test.each(["max_tokens: must be positive", "tools.3: input_schema is invalid", "imagen-3 is not a known model"])(
    "%s is not a rejection",
    (problem) => expect(isImageRefusal(errorOf(problem))).toBe(false),
  );

  test("an overloaded server is not a rejection, regardless of its message", () => {
    expect(isImageRefusal(errorOf("image service overloaded", 529))).toBe(false);
  });

  test("every wording has a public source", () => {
    for (const { source } of IMAGE_REFUSALS) expect(source).toMatch(/^https:\/\/github\.com\/.+\/issues\/\d+$/);
  });
});
