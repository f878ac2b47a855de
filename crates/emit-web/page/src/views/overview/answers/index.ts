// The panels of the answers.
import type { Shell } from "../../view";
import { advicePanel } from "./advice";
import { criticalPathPanel } from "./criticalpath";
import { gapsPanel } from "./gaps";
import { phasesPanel } from "./phases";
import { rooflinePanel } from "./roofline";

/** What to read first, and what belongs further down. */
export function answerPanels(shell: Shell): { first: (HTMLElement | false)[]; later: HTMLElement[] } {
  const { answers } = shell.page.head;
  return { first: [phasesPanel(answers), advicePanel(shell, answers), criticalPathPanel(shell, answers)], later: [rooflinePanel(shell, answers), gapsPanel(shell, answers)] };
}
