import type { Message } from "@switchyard/contracts";

/**
 * Creates a function that returns the messages of a call without secrets. `cleanMessage` is called once for each
 * message that was not in the previous call. If a call has all messages of the previous call and further ones, the
 * function appends the further ones to the list that it returned before. The given list of messages is copied, so the
 * caller may change it between two calls.
 */
export function createCleanHistory(
  cleanMessage: (message: Message) => Message,
): (messages: readonly Message[]) => readonly Message[] {
  let before: Message[] = [];
  let clean: Message[] = [];
  return (messages) => {
    let shared = 0;
    while (shared < messages.length && shared < before.length && messages[shared] === before[shared]) shared += 1;
    // All messages are cleaned before the first is added, so that the lists stay as they are if cleaning fails.
    const added = messages.slice(shared).map((message) => cleanMessage(message));
    if (shared < before.length) {
      before = before.slice(0, shared);
      clean = clean.slice(0, shared);
    }
    for (const message of messages.slice(shared)) before.push(message);
    for (const message of added) clean.push(message);
    return clean;
  };
}
