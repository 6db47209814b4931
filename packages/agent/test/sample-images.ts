import { Buffer } from "node:buffer";

function decode(text: string): Buffer {
  return Buffer.from(text, "base64");
}

/** One complete image of each type, 1 × 1 pixel. */
export const SAMPLE_IMAGES: readonly { readonly mediaType: string; readonly bytes: Buffer }[] = [
  {
    mediaType: "image/png",
    bytes: decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  },
  {
    mediaType: "image/jpeg",
    bytes: decode(
      "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==",
    ),
  },
  { mediaType: "image/gif", bytes: decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") },
  { mediaType: "image/webp", bytes: decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA") },
];
