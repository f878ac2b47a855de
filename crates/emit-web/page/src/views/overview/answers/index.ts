// The panels of the answers: none where the page has no answers.
import type { Shell } from "../../view";
import { advicePanel } from "./advice";
import { gapsPanel } from "./gaps";
import { answersOf } from "./model";
import { phasesPanel } from "./phases";
import { rooflinePanel } from "./roofline";

/** What to read first, and what belongs further down. */
export function answerPanels(shell: Shell): { first: HTMLElement[]; later: HTMLElement[] } {
  const answers = answersOf(shell.page);
  if (!answers) return { first: [], later: [] };
  return { first: [phasesPanel(answers), advicePanel(answers)], later: [rooflinePanel(shell, answers), gapsPanel(shell, answers)] };
}
