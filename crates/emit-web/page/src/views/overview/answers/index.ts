// The panels of the answers.
import type { Shell } from "../../view";
import { advicePanel } from "./advice";
import { criticalPathPanel } from "./criticalpath";
import { findCulprit } from "./culprit";
import { expectedPanel } from "./expected";
import { gapsPanel } from "./gaps";
import { communicationPanel, hostPanel } from "./host";
import { phasesPanel } from "./phases";
import { rooflinePanel } from "./roofline";
import { strip } from "./strip";
import { statedAdvice, verdictPanel } from "./verdict";

/** The panels of the first screen, and the others by topic. */
export interface AnswerPanels {
  verdict: HTMLElement;
  picture: HTMLElement;
  advice: HTMLElement;
  path: (HTMLElement | false | null)[];
  work: (HTMLElement | null)[];
  engines: (HTMLElement | null)[];
  communication: (HTMLElement | null)[];
}

export function answerPanels(shell: Shell): AnswerPanels {
  const { page } = shell;
  const { answers } = page.head;
  const cause = statedAdvice(answers);
  const culprit = cause ? findCulprit(page, cause) : Promise.resolve(null);
  return {
    verdict: verdictPanel(shell, answers, culprit),
    picture: phasesPanel(shell, answers, strip(shell, culprit), culprit),
    advice: advicePanel(shell, answers),
    path: [criticalPathPanel(shell, answers), gapsPanel(shell, answers)],
    work: [expectedPanel(shell, answers)],
    engines: [rooflinePanel(shell, answers)],
    communication: [hostPanel(shell, answers), communicationPanel(answers)],
  };
}
