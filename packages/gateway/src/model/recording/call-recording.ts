import type { RecordOptions } from "../gateway-options.ts";
import type { CallCleaner } from "./clean-call.ts";
import { createRecordingSerializer, type RecordedModelCall, serializeRecordingHeader } from "./model-call-recording.ts";

/** Stores a call at its position in the recording. If no call is given, the recording has no call for this position. */
type RecordingSlot = (call?: RecordedModelCall) => void;

/** Records the calls of one run in the order in which they began. */
export interface CallRecording {
  /** Reserves the position of a new call. */
  open(): RecordingSlot;
  /** Writes the completed calls that wait for earlier ones. */
  finish(): void;
}

/** Splits the text of a stream into server-sent events, including their line ends. */
export function splitEvents(text: string): readonly string[] {
  return text.match(/[\s\S]*?(?:\r?\n\r?\n|$)/g)?.filter((event) => event !== "") ?? [];
}

/** Creates a recording. */
export function createCallRecording({ write, description }: RecordOptions, cleaner: CallCleaner): CallRecording {
  const serializer = createRecordingSerializer();
  const slots: { call: RecordedModelCall | undefined; isOver: boolean }[] = [];
  let hasHeader = false;
  const writeCall = (call: RecordedModelCall | undefined): void => {
    if (call === undefined) return;
    // Without a call, nothing is written, so that an engine that calls no model leaves no recording.
    if (!hasHeader) write(serializeRecordingHeader(description ?? "Recorded model calls"));
    hasHeader = true;
    write(serializer.line(cleaner.call(call)));
  };
  return {
    open() {
      const slot: { call: RecordedModelCall | undefined; isOver: boolean } = { call: undefined, isOver: false };
      slots.push(slot);
      return (call) => {
        if (slot.isOver) return;
        Object.assign(slot, { call, isOver: true });
        for (let first = slots[0]; first?.isOver === true; first = slots[0]) {
          slots.shift();
          writeCall(first.call);
        }
      };
    },
    finish() {
      for (const { call } of slots.splice(0)) writeCall(call);
    },
  };
}
