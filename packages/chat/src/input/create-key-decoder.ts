import { emitKeypressEvents } from "node:readline";
import { PassThrough } from "node:stream";
import type { Key } from "./key.ts";

/** Key as Node decodes it. */
interface NodeKey {
  readonly sequence?: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** Receives what the user types and pastes. */
export interface KeyListener {
  /** Called for each key. */
  press(key: Key): void;
  /** Called for each pasted text. */
  paste(text: string): void;
}

/**
 * Creates a function that decodes the input of a terminal in raw mode. Pasted text is recognised only if bracketed
 * paste is switched on, because the terminal then marks it.
 */
export function createKeyDecoder({ press, paste }: KeyListener): (input: string) => void {
  const stream = new PassThrough();
  let pasted: string | undefined;
  emitKeypressEvents(stream);
  stream.on("keypress", (character: string | undefined, { sequence, name, ctrl, meta }: NodeKey) => {
    const text = sequence ?? character ?? "";
    if (name === "paste-start") pasted = "";
    else if (name === "paste-end") {
      paste(pasted ?? "");
      pasted = undefined;
    } else if (pasted !== undefined) pasted += text;
    else press({ name, text, ctrl: ctrl === true, meta: meta === true });
  });
  return (input) => void stream.write(input);
}
