// The panels of the answers.
import type { Shell } from "../../view";
import { advicePanel } from "./advice";
import { criticalPathPanel } from "./criticalpath";
import { expectedPanel } from "./expected";
import { gapsPanel } from "./gaps";
import { communicationPanel, hostPanel } from "./host";
import { phasesPanel } from "./phases";
import { rooflinePanel } from "./roofline";
import { stepsPanel } from "./steps";
import { verdictPanel } from "./verdict";

/** What to read first, and what belongs further down. */
export function answerPanels(shell: Shell): { verdict: HTMLElement; first: (HTMLElement | false)[]; later: HTMLElement[] } {
  const { answers } = shell.page.head;
  const later = [stepsPanel(shell, answers), hostPanel(shell, answers), communicationPanel(answers), rooflinePanel(shell, answers), expectedPanel(shell, answers), gapsPanel(shell, answers)];
  return { verdict: verdictPanel(shell, answers), first: [phasesPanel(answers), advicePanel(shell, answers), criticalPathPanel(shell, answers)], later: later.filter((panel) => panel !== null) };
}
