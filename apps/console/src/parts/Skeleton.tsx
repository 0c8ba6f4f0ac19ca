import type { JSX } from "preact";

/** Placeholder for rows that appear once the page is connected. */
export function Skeleton({ class: name }: { readonly class: string }): JSX.Element {
  return (
    <div class={name} aria-hidden="true">
      {[1, 2, 3].map((line) => (
        <p key={line} class="skeleton" />
      ))}
    </div>
  );
}
