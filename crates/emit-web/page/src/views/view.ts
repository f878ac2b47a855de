// A tab of the page.
import type { Page } from "../data/page";
import type { Text } from "../ui/i18n";

/** Where a slice is: index of its track and its row there. */
export interface SliceRef {
  track: number;
  row: number;
}

/** What views may ask of the page around them. */
export interface Shell {
  page: Page;
  /** Goes to the timeline, with the slice selected and in the middle. */
  showSlice(slice: SliceRef): void;
  /** Goes to the timeline at a time range, ns since the span's start, with the slice selected if one is given. */
  showRange(start: number, end: number, slice?: SliceRef | null): void;
  /** Opens the view with this id. */
  open(id: string): void;
  /** Goes to the table of commands, filtered. Keys are those of the find view's state. */
  find(filter: Record<string, string>): void;
}

export interface View {
  /** Key in the URL: overview, timeline, whatif, compare, memory, find. */
  id: string;
  title: Text;
  /** Builds the view into an empty element, once per language; it is shown or hidden from then on. */
  mount(root: HTMLElement, shell: Shell): void;
  /** It became visible (again), or the fragment changed from outside. */
  show?(): void;
  /** Theme or size changed. */
  redraw?(): void;
  /** Selects a slice or a range (timeline only). */
  goTo?(target: SliceRef | { start: number; end: number; slice?: SliceRef | null }): void;
}
