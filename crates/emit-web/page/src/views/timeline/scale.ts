// What the full height of the bandwidth rows represents: one scale for all of them, so that engines and cores compare.
import { roundStep } from "../../ui/axis";

/** The shown range's highest value, rounded up; it shrinks only when far too large, so that it does not flicker. */
export class Scale {
  full = 1;
  private highest = 0;

  /** Before the rows of a frame. */
  begin(): void {
    this.highest = 0;
  }

  see(values: Float64Array): void {
    for (let i = 0; i < values.length; i++) if (values[i]! > this.highest) this.highest = values[i]!;
  }

  /** After the rows; true if they must be drawn anew with another scale. */
  end(): boolean {
    if (this.highest === 0) return false;
    const wanted = roundStep(Math.max(this.highest, 1e-3));
    if (wanted === this.full || (wanted < this.full && wanted > this.full / 4 && this.highest > this.full / 4)) return false;
    this.full = wanted;
    return true;
  }
}
