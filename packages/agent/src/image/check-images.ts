import { Buffer } from "node:buffer";
import { findEngineError, type ImagePart, messageOf } from "@switchyard/contracts";
import type { ToolOutcome } from "../pipeline/tool-outcome.ts";
import { prepareImage } from "./prepare-image.ts";

const prepared = new WeakSet<ImagePart>();

/** Marks an image as already validated, so that it is not decoded again. */
export function markPrepared(image: ImagePart): ImagePart {
  prepared.add(image);
  return image;
}

interface CheckedImages {
  readonly images: readonly ImagePart[];
  readonly problems: readonly string[];
}

async function check(images: readonly ImagePart[]): Promise<CheckedImages> {
  const usable: ImagePart[] = [];
  const problems: string[] = [];
  for (const [index, image] of images.entries()) {
    if (image.data === undefined || prepared.has(image)) {
      usable.push(image);
      continue;
    }
    try {
      const part = await prepareImage(Buffer.from(image.data, "base64"), `Image ${index + 1}`);
      usable.push(markPrepared({ ...image, mediaType: part.mediaType, data: part.data }));
    } catch (error) {
      problems.push(findEngineError(error)?.message ?? messageOf(error));
    }
  }
  return { images: usable, problems };
}

/**
 * Removes invalid images from a tool outcome and adds a note. A provider would reject every request that contains such
 * an image.
 */
export async function checkImages(outcome: ToolOutcome): Promise<ToolOutcome> {
  const { images, problems } = await check(outcome.images ?? []);
  if (problems.length === 0) return { ...outcome, images };
  const lines = [outcome.content, ...problems.map((problem) => `[${problem}]`)];
  return { ...outcome, images, isError: true, content: lines.filter((line) => line !== "").join("\n") };
}
