"""The pictures of Perfetto's viewer in docs/images: `perfetto.py PROGRAM --pictures` makes them, `perfetto.py PROGRAM` sees whether they are fresh.

A picture is fresh while its scene (the tracks in sight, what is selected) is the one that it was made of: docs/images/perfetto.json has
the scenes, and the viewer's version. With that version the picture itself is compared, too.
"""

import base64
import json

# The mean difference in cells of 12 pixels, 1 is black against white. WebP and fonts make 0.005, another layout of the viewer ten times that.
MOST = 0.02
SIZE = {"width": 1280, "height": 720}

SCENE = """() => {
  const pinned = app.trace.workspace.pinnedTracks.map(track => track.name), shown = [];
  const walk = node => { shown.push(node.name); if (!node.collapsed) node.children.forEach(walk); };
  app.trace.workspace.children.forEach(walk);
  return { pinned, shown: shown.slice(0, 24) };
}"""

WEBP = """async (png) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
  return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), byte => String.fromCharCode(byte)).join(''));
}"""

DIFFERENCE = """async (both) => {
  const cells = [];
  for (const text of both) {
    const image = await createImageBitmap(await (await fetch('data:image/*;base64,' + text)).blob());
    const [width, height] = [Math.round(image.width / 12), Math.round(image.height / 12)];
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    cells.push({ size: `${image.width}x${image.height}`, data: context.getImageData(0, 0, width, height).data });
  }
  if (cells[0].size !== cells[1].size) return 1;
  const sum = cells[0].data.reduce((all, value, at) => all + Math.abs(value - cells[1].data[at]), 0);
  return sum / (cells[0].data.length * 0.75 * 255);
}"""


class Pictures:
    """The pictures, as PNG, and their scenes, by the names of their files."""

    def __init__(self, folder, version):
        self.folder, self.version = folder, version
        self.made, self.scenes = {}, {}

    def take(self, page, name, selected=None):
        """A picture of what the page shows now."""
        page.set_viewport_size(SIZE)
        page.evaluate("() => waitForPerfettoIdle(500)")
        self.made[name] = base64.b64encode(page.screenshot()).decode()
        self.scenes[name] = page.evaluate(SCENE) | ({"selected": selected} if selected else {})

    def write(self, page):
        for name, png in self.made.items():
            (self.folder / name).write_bytes(base64.b64decode(page.evaluate(WEBP, png)))
        facts = {"viewer": self.version, "scenes": self.scenes}
        (self.folder / "perfetto.json").write_text(json.dumps(facts, indent=1) + "\n")

    def stale(self, page):
        """What is not as it was when the pictures were made."""
        known = self.folder / "perfetto.json"
        if not known.exists():
            yield "docs/images/perfetto.json is missing: make pictures and scenes with --pictures"
            return
        facts = json.loads(known.read_text())
        for name, scene in self.scenes.items():
            then = facts["scenes"].get(name)
            if then != scene:
                yield f"{name} shows {then}, the program's trace {scene}"
            elif facts["viewer"] == self.version:
                kept = base64.b64encode((self.folder / name).read_bytes()).decode()
                differs = page.evaluate(DIFFERENCE, [kept, self.made[name]])
                print(f"{name}: differs by {differs:.4f}", flush=True)
                if differs > MOST:
                    yield f"{name} differs by {differs:.4f}"
