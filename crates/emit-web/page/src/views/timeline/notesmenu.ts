// The menu of notes: a line for each, to read, write, visit and remove.
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import { linkButton } from "../../ui/link";
import { pictureButtons } from "../../ui/picture";
import { moment } from "./axis";
import { closeOutside } from "./menu";
import { timelinePicture } from "./picture";
import type { Scene } from "./scene";
import { NOTES } from "./texts";

export class NotesMenu {
  private readonly summary = h("summary", { class: "tl-chip", title: t(NOTES.hint) });
  private readonly list = h("div", { class: "tl-notes" });
  readonly element: HTMLDetailsElement;
  private shown = "";

  constructor(private readonly scene: Scene) {
    this.element = h("details", { class: "tl-menu tl-right" }, this.summary, h("div", { class: "tl-list" },
      this.list,
      h("button", { class: "tl-chip", id: "tl-add-note", onclick: () => this.add() }, t(NOTES.add)),
      h("p", { class: "muted" }, t(NOTES.help)), h("hr"),
      h("div", { class: "tl-set" }, linkButton("tl-chip"), pictureButtons(`${scene.page.head.source}-timeline`, () => timelinePicture(scene)))));
    closeOutside(this.element);
  }

  /** Adds a note at the cursor, else at the selected slice, the range, or the middle of the view; its text has the focus. */
  add(): void {
    void this.place().then(({ time, text }) => {
      this.scene.setNotes([...this.scene.notes, { time, text }].sort((a, b) => a.time - b.time));
      this.element.open = true;
      const field = this.list.querySelectorAll<HTMLInputElement>("input")[this.scene.notes.findIndex((note) => note.time === time)];
      field?.focus();
      field?.select();
    });
  }

  private async place(): Promise<{ time: number; text: string }> {
    const { cursor, selected, range, viewport, page } = this.scene;
    if (cursor) return { time: viewport.time(cursor.x), text: "" };
    if (selected) {
      const { name } = await this.scene.track(selected.track).loadTimes();
      return { time: (await this.scene.sliceRange(selected)).start, text: page.nameText(name[selected.row]!) };
    }
    return { time: range ? range.start : (viewport.start + viewport.end) / 2, text: "" };
  }

  update(): void {
    const { scene } = this;
    put(this.summary, `${t(NOTES.title)}${scene.notes.length > 0 ? ` (${scene.notes.length})` : ""} ▾`);
    const now = scene.notes.map((note) => note.time).join();
    // While one types, the fields stay as they are.
    if (now === this.shown && this.list.contains(document.activeElement)) return;
    this.shown = now;
    put(this.list, ...scene.notes.map((note, at) => h("div", { class: "tl-key" },
      h("button", { class: "tl-chip", title: t(NOTES.go), onclick: () => this.go(note.time) }, moment(note.time)),
      h("input", { value: note.text, "aria-label": t(NOTES.text), placeholder: t(NOTES.text), oninput: (event: Event) => this.write(at, (event.target as HTMLInputElement).value) }),
      h("button", { class: "quiet", title: t(NOTES.remove), "aria-label": t(NOTES.remove), onclick: () => scene.setNotes(scene.notes.filter((_, i) => i !== at)) }, "✕"))));
  }

  private write(at: number, text: string): void {
    this.scene.setNotes(this.scene.notes.map((note, i) => (i === at ? { ...note, text } : note)));
  }

  private go(time: number): void {
    const { scene } = this;
    const half = scene.viewport.length / 2;
    scene.viewport.set(time - half, time + half);
    scene.moved();
  }
}
