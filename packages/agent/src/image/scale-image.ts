import { Buffer } from "node:buffer";
import { isRecord } from "../checkpoint/is-part.ts";

/**
 * Maximum side of a scaled image, in pixels. Providers scale down larger images. Source:
 * https://docs.anthropic.com/en/docs/build-with-claude/vision
 */
const SCALED_SIDE = 1_568;

function call(target: unknown, method: string, ...args: readonly unknown[]): unknown {
  const found: unknown = isRecord(target) ? target[method] : undefined;
  if (typeof found !== "function") throw new TypeError(`sharp has no ${method}`);
  return Reflect.apply(found, target, args);
}

async function loadSharp(): Promise<unknown> {
  // The package name is in a variable, so that compilers and bundlers do not resolve the optional package.
  const name: string = "sharp";
  try {
    const loaded: unknown = await import(name);
    return isRecord(loaded) ? loaded["default"] : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Scales an image down to a PNG with the optional package sharp. `undefined` if sharp is not installed or cannot read
 * the image.
 */
export async function scaleImage(bytes: Buffer, load: () => Promise<unknown> = loadSharp): Promise<Buffer | undefined> {
  const sharp = await load();
  if (typeof sharp !== "function") return undefined;
  try {
    const image: unknown = Reflect.apply(sharp, undefined, [bytes]);
    const box = { width: SCALED_SIDE, height: SCALED_SIDE, fit: "inside", withoutEnlargement: true };
    const scaled: unknown = await call(call(call(image, "resize", box), "png"), "toBuffer");
    return Buffer.isBuffer(scaled) ? scaled : undefined;
  } catch {
    return undefined;
  }
}
