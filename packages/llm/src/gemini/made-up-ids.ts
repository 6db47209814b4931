/** How the ids begin that are made up here, because Gemini names its calls without one. */
const PREFIX = "call_made_";

/** An id for a call that came without one. */
export function madeUpId(id: string): string {
  return `${PREFIX}${id.replace(/[^a-zA-Z0-9]/g, "")}`;
}

// Quotes inside strings are escaped in JSON text, so this can only be the field itself; its name always follows it.
const MADE_UP_FIELD = new RegExp(`"id":"${PREFIX}[a-zA-Z0-9]*",`, "g");

/** Takes the made-up ids out of a request again: Gemini then pairs calls and results by name and order, as it did. */
export function withoutMadeUpIds(body: string): string {
  return body.includes(PREFIX) ? body.replace(MADE_UP_FIELD, "") : body;
}
