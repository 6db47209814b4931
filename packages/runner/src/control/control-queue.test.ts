import type { ControlMessage } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { expect, test } from "vitest";
import { createControlQueue, type StoredControlMessage } from "./control-queue.ts";

function stored(id: string): StoredControlMessage {
  const message: ControlMessage = { type: "steer", text: id };
  return { id, message };
}

function contents(messages: readonly ControlMessage[]): string[] {
  return messages.map(({ text }) => text);
}

test("the engine reads messages once, in the order in which they were added", () => {
  const queue = createControlQueue(createBoard());
  for (const id of ["a", "b", "c"]) queue.push(stored(id));
  expect(queue.waiting).toBe(3);
  expect(contents(queue.source.drain())).toEqual(["a", "b", "c"]);
  expect(queue.waiting).toBe(0);
  expect(queue.source.drain()).toEqual([]);
});

test("messages that the checkpoint does not contain are read again, in order and before new ones", () => {
  const queue = createControlQueue(createBoard());
  for (const id of ["a", "b"]) queue.push(stored(id));
  queue.source.drain();
  for (const id of ["c", "d"]) queue.push(stored(id));
  queue.source.drain();
  queue.push(stored("e"));
  queue.requeueUnknown(new Set(["a"]));
  expect(contents(queue.source.drain())).toEqual(["b", "c", "d", "e"]);
});

test("messages are queued again only once", () => {
  const queue = createControlQueue(createBoard());
  queue.push(stored("a"));
  queue.source.drain();
  queue.requeueUnknown(new Set());
  queue.requeueUnknown(new Set());
  expect(contents(queue.source.drain())).toEqual(["a"]);
});

test("a listener is called for each message until it is removed", () => {
  const queue = createControlQueue(createBoard());
  const calls: string[] = [];
  const remove = queue.source.onMessage(() => calls.push("first"));
  queue.source.onMessage(() => calls.push("second"));
  queue.push(stored("a"));
  remove();
  queue.push(stored("b"));
  expect(calls).toEqual(["first", "second", "second"]);
});
