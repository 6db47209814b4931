import type { Message } from "@switchyard/contracts";

/**
 * Creates a function that returns the messages of a call without secrets. `cleanMessage` is called once for each message
 * that was not in the previous call. If a call continues the conversation of the previous call, the messages are added to
 * the list that the function returned for the previous call.
 */
export function createCleanHistory(
  cleanMessage: (message: Message) => Message,
): (messages: readonly Message[]) => readonly Message[] {
  let previous: { readonly raw: readonly Message[]; readonly clean: Message[] } = { raw: [], clean: [] };
  return (raw) => {
    const { raw: before, clean } = previous;
    let shared = 0;
    while (shared < raw.length && shared < before.length && raw[shared] === before[shared]) shared += 1;
    const cleaned = shared === before.length ? clean : clean.slice(0, shared);
    // All messages are cleaned before the first is added, so that the list stays as it is if cleaning fails.
    const added = raw.slice(shared).map((message) => cleanMessage(message));
    for (const message of added) cleaned.push(message);
    previous = { raw, clean: cleaned };
    return cleaned;
  };
}
