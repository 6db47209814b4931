import type { ComponentChildren, JSX } from "preact";

/** Content that may be wider than the page and scrolls on its own. Can be reached and scrolled by keyboard. */
export function Scroller({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a named section is a landmark, and a page can contain many scrollers.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element.
    <div class="scroller" role="group" tabIndex={0} aria-label={name}>
      {children}
    </div>
  );
}
