import { messageOf } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import type { SessionCore } from "../session/session-core.ts";
import { isImageRefusal } from "./image-refusal.ts";
import { hasImages, withoutWithheldImages } from "./withheld-images.ts";

/**
 * Returns how many of the last turns may contain the rejected image. These are the turns since the last model response,
 * because the API accepted earlier images. If these turns contain no images, returns the number of all turns.
 */
function suspectedTurns(turns: readonly Turn[]): number {
  const seen = withoutWithheldImages(turns);
  const last = seen.findLastIndex(({ type }) => type === "assistant");
  if (seen.slice(last + 1).some(hasImages)) return seen.length - last - 1;
  return seen.some(hasImages) ? seen.length : 0;
}

/**
 * Withholds the images that may have caused a failed model call. Returns whether the call can be retried without them.
 * The images stay in the history. A new turn records that they are withheld, so that a resumed session does not send
 * them either.
 */
export function areRefusedImagesWithheld(core: SessionCore, error: unknown): boolean {
  if (!isImageRefusal(error)) return false;
  const withheldImages = suspectedTurns(core.conversation.turns);
  if (withheldImages === 0) return false;
  const message = `The API refused an image. The newest images are left out and the model is asked again: ${messageOf(error)}`;
  core.emit("warning", { message, kind: "image_refused", details: error.toWire() });
  const content = `The API refused an image in the messages above, so it is no longer part of this conversation. Do not read it again as it is: convert it to PNG or make it smaller first, or continue without it.`;
  core.conversation.append({ type: "steering", content, withheldImages, timestamp: core.events.timestamp() });
  return true;
}
