import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  /** Accessible name. */
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Modal dialog. Escape and a click outside close it. The browser then returns the focus. */
export function Dialog({ name, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // The event `close` is not used: it comes later, when another dialog may already be open.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a modal dialog on Escape.
    <dialog
      ref={dialog}
      aria-label={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
