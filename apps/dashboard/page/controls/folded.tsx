import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

interface FoldedProps {
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly isOpen?: boolean;
}

/** Collapsible section whose content is rendered only once it has been opened. */
export function Folded({ summary, children, isOpen = false }: FoldedProps): JSX.Element {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && children()}
    </details>
  );
}
