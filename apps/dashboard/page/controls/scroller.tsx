import type { ComponentChildren, JSX } from "preact";

/** Content that may be wider than the page and scrolls on its own. Can be reached and scrolled by keyboard. */
export function Scroller({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section with a name would be a landmark, and there may be many.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <div class="scroller" role="group" tabIndex={0} aria-label={name}>
      {children}
    </div>
  );
}
