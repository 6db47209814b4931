import type { ComponentChildren, JSX } from "preact";

/** Explains why a part of the page is empty, and what the user can do. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}
