import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  /** Accessible name. */
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Modal dialog. Closes on Escape and on a click outside. The browser returns the focus afterwards. */
export function Dialog({ name, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog.
    <dialog
      ref={dialog}
      aria-label={name}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
