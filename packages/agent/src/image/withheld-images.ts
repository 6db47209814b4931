import type { ToolResultPart } from "@switchyard/contracts";
import type { SteeringTurn, Turn } from "../conversation/turn.ts";

/** Replacement text for an image that is no longer sent. */
const NOTE = "[An image was here. It is left out because the API refused it.]";

/**
 * Turn that records that the API rejected an image. `withheldImages` is the number of turns directly before this one
 * that may contain the image. Later requests omit all images of these turns.
 */
export interface WithholdingTurn extends SteeringTurn {
  readonly withheldImages: number;
}

/** Returns whether a turn removes images of earlier turns from later requests. */
export function withholdsImages(turn: Turn): turn is WithholdingTurn {
  return turn.type === "steering" && turn.withheldImages !== undefined;
}

function withNote(content: string): string {
  return content === "" ? NOTE : `${content}\n${NOTE}`;
}

function resultWithoutImages(result: ToolResultPart): ToolResultPart {
  const { images, ...rest } = result;
  return images === undefined || images.length === 0 ? result : { ...rest, content: withNote(result.content) };
}

/** Returns whether a turn contains images. */
export function hasImages(turn: Turn): boolean {
  if (turn.type === "user") return (turn.images ?? []).length > 0;
  return turn.type === "tool_results" && turn.results.some(({ images = [] }) => images.length > 0);
}

function withoutImages(turn: Turn): Turn {
  if (!hasImages(turn)) return turn;
  if (turn.type === "tool_results") return { ...turn, results: turn.results.map(resultWithoutImages) };
  return turn.type === "user" ? { ...turn, images: [], content: withNote(turn.content) } : turn;
}

/** Returns the turns as the model sees them: images that are no longer sent are replaced by notes. */
export function withoutWithheldImages(turns: readonly Turn[]): readonly Turn[] {
  const withheld = new Set<number>();
  turns.forEach((turn, index) => {
    if (!withholdsImages(turn)) return;
    for (let before = 1; before <= turn.withheldImages; before += 1) withheld.add(index - before);
  });
  return withheld.size === 0 ? turns : turns.map((turn, index) => (withheld.has(index) ? withoutImages(turn) : turn));
}
