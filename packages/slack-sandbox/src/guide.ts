import type { Clock } from './clock.ts';

/** A step of the tutorial for newcomers. */
export interface GuideStep {
  readonly id: string;
  readonly title: string;
  /** One or two sentences that say what to do and what will happen. */
  readonly text: string;
  /** Text for the composer, or a page to open. */
  readonly try?:
    | { readonly kind: 'command'; readonly text: string }
    | { readonly kind: 'link'; readonly url: string };
}

/** The closing text of the guide: a sentence, and links to pages with their titles. */
export interface ReadNext {
  readonly text: string;
  readonly links: readonly { readonly title: string; readonly url: string }[];
}

export interface GuideOptions {
  readonly steps: readonly GuideStep[];
  readonly readNext: ReadNext | undefined;
}

/** A step, and when it was completed by the sandbox's clock. */
type GuideStepStatus = GuideStep & { readonly done_at: number | null };

/**
 * Tracks the progress in the guide. Completed steps stay completed after a reset, until the guide
 * is restarted.
 */
export interface Guide {
  /** Marks a step as completed. Has no effect the second time, or if the ID is unknown. */
  completeStep(id: string): void;
  restart(): void;
  status(): { readonly steps: readonly GuideStepStatus[]; readonly read_next: ReadNext | null };
}

export function createGuide({ now }: Clock, { steps, readNext }: GuideOptions, changed: () => void): Guide {
  const doneAt = new Map<string, number>();
  return {
    completeStep(id) {
      if (doneAt.has(id) || !steps.some((step) => step.id === id)) return;
      doneAt.set(id, now());
      changed();
    },
    restart() {
      doneAt.clear();
      changed();
    },
    status: () => ({
      steps: steps.map((step) => ({ ...step, done_at: doneAt.get(step.id) ?? null })),
      read_next: readNext ?? null,
    }),
  };
}
