// @ts-check

/**
 * Returns the text of a content: a string, or parts of which some are texts.
 * @param {unknown} content
 * @returns {string}
 */
export function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}

/** Encodes an event. @param {{ type: string } & Record<string, unknown>} event */
export function eventOf(event) {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
