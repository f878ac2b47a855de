// Menus that open below a button.

/** Closes the menu at a press anywhere else. */
export function closeOutside(menu: HTMLDetailsElement): void {
  const outside = (event: PointerEvent) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  };
  menu.addEventListener("toggle", () => {
    if (menu.open) document.addEventListener("pointerdown", outside);
    else document.removeEventListener("pointerdown", outside);
  });
}
