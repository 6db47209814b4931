import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { SAMPLE_IMAGES } from "../../test/sample-images.ts";
import { callTool, createAnthropicProfile, type ToolCallResult } from "../index.ts";
import { prepareImage } from "./prepare-image.ts";
import { scaleImage } from "./scale-image.ts";

const profile = createAnthropicProfile({ model: "claude" });

function read(workspace: Workspace, path: string): Promise<ToolCallResult> {
  const { environment } = workspace;
  return callTool({ profile, environment, name: "read_file", arguments: { file_path: path } });
}

/** Creates a gray PNG of the given size. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

test.each(SAMPLE_IMAGES)("a complete $mediaType is accepted", async ({ mediaType, bytes }) => {
  expect(await prepareImage(bytes, "a")).toEqual({ type: "image", mediaType, data: bytes.toString("base64") });
});

test.each(SAMPLE_IMAGES)("a $mediaType that is cut off anywhere is refused", async ({ bytes }) => {
  for (let length = 12; length < bytes.length; length += 1) {
    await expect(prepareImage(bytes.subarray(0, length), "a")).rejects.toMatchObject({ code: "tool.invalid_image" });
  }
});

test.each(SAMPLE_IMAGES)(
  "reading a truncated $mediaType is a tool error with the reason",
  async ({ mediaType, bytes }) => {
    await using workspace = await openWorkspace({ "a.png": bytes.subarray(0, bytes.length - 1) });
    const result = await read(workspace, "a.png");
    expect(result).toMatchObject({ isError: true, details: { error: { code: "tool.invalid_image" } } });
    expect(result.images).toBeUndefined();
    expect(result.content).toContain("truncated");
    expect(result.content).toContain(mediaType);
  },
);

test("a PNG with a wrong checksum or without its pixels is refused", async () => {
  const png = pngOf(4, 4);
  const flipped = Buffer.from(png);
  flipped[20] = 9;
  await expect(prepareImage(flipped, "a")).rejects.toThrow("a checksum is wrong");
  const claimed = pngOf(4, 4);
  claimed.writeUInt32BE(400, 20);
  claimed.writeUInt32BE(crc32(claimed.subarray(12, 29)), 29);
  await expect(prepareImage(claimed, "a")).rejects.toThrow("pixel data is damaged or truncated");
});

test("an image with more pixels than providers accept is refused with its size", async () => {
  await expect(prepareImage(pngOf(8_001, 1), "a")).rejects.toThrow("it is too large");
  expect(await prepareImage(pngOf(8_000, 1), "a")).toMatchObject({ mediaType: "image/png" });
});

test("a file with an image's extension and other content is a tool error with the reason", async () => {
  await using workspace = await openWorkspace({ "a.png": Buffer.from("424d3600000000000000", "hex") });
  const result = await read(workspace, "a.png");
  expect(result).toMatchObject({ isError: true, details: { error: { code: "tool.invalid_image" } } });
  expect(result.content).toContain("its bytes are not those of a PNG, JPEG, GIF or WebP image");
});

test("a large image is scaled if sharp is installed", async () => {
  const calls: unknown[] = [];
  const image = {
    resize: (box: unknown) => {
      calls.push(box);
      return { png: () => ({ toBuffer: async () => pngOf(2, 2) }) };
    },
  };
  expect(await scaleImage(pngOf(9_000, 1), async () => () => image)).toEqual(pngOf(2, 2));
  expect(calls).toEqual([{ width: 1_568, height: 1_568, fit: "inside", withoutEnlargement: true }]);
  const failing = (): never => {
    throw new Error("damaged");
  };
  expect(await scaleImage(pngOf(9_000, 1), async () => failing)).toBeUndefined();
  expect(await scaleImage(pngOf(9_000, 1), async () => undefined)).toBeUndefined();
});
