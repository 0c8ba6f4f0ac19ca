import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../languages/language.ts";

/** Heights at which the panel below the map comes to rest, in percent of the page. */
const STOPS = [30, 55, 90];

const height: Signal<number> = signal(55);

/** The handle that moves the panel below the map up and down, by finger or arrow keys. */
export function SheetHandle(): JSX.Element {
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Set by script: the page's policy allows no style attributes in the markup.
    handle.current!.parentElement!.style.setProperty("--map-share", `${100 - height.value}%`);
  }, [height.value]);
  const drag = (event: PointerEvent): void => {
    if (!handle.current!.hasPointerCapture(event.pointerId)) return;
    const { top, height: whole } = handle.current!.parentElement!.getBoundingClientRect();
    height.value = Math.max(10, Math.min(95, 100 - (100 * (event.clientY - top)) / whole));
  };
  const rest = (): void => {
    height.value = STOPS.toSorted((a, b) => Math.abs(a - height.value) - Math.abs(b - height.value))[0]!;
  };
  const press = (event: KeyboardEvent): void => {
    const now = height.value;
    const steps: Readonly<Record<string, number | undefined>> = {
      ArrowUp: STOPS.find((stop) => stop > now),
      ArrowDown: STOPS.findLast((stop) => stop < now),
      Home: STOPS[0],
      End: STOPS.at(-1),
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    height.value = steps[event.key] ?? now;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      class="app-sheet"
      ref={handle}
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={words.value.appSheet}
      aria-valuemin={STOPS[0]}
      aria-valuemax={STOPS.at(-1)}
      aria-valuenow={Math.round(height.value)}
      onKeyDown={press}
      onPointerDown={(event) => handle.current!.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onPointerUp={rest}
      onPointerCancel={rest}
    />
  );
}
