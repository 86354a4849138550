import type { Clock } from './clock.ts';

/** A step that a newcomer can do. */
export interface GuideStep {
  readonly id: string;
  readonly title: string;
  /** One or two sentences: what to do, and what then happens. */
  readonly text: string;
  /** Words for the composer, or a page to open. */
  readonly try?: { readonly words: string } | { readonly link: string };
}

/** What is named at the end: a sentence, and pages with their titles. */
export interface ReadNext {
  readonly text: string;
  readonly links: readonly { readonly title: string; readonly url: string }[];
}

export interface GuideOptions {
  readonly steps: readonly GuideStep[];
  readonly readNext: ReadNext | undefined;
}

/** A step, and when it was done, by the sandbox's clock. */
type StepFacts = GuideStep & { readonly done_at: number | null };

/** Leads a newcomer; what is done stays done, resets included, until it is started over. */
export interface Guide {
  /** Ticks a step off, once; an id that is not known is ignored. */
  tick(id: string): void;
  restart(): void;
  facts(): { readonly steps: readonly StepFacts[]; readonly read_next: ReadNext | null };
}

export function createGuide({ now }: Clock, { steps, readNext }: GuideOptions, changed: () => void): Guide {
  const doneAt = new Map<string, number>();
  return {
    tick(id) {
      if (doneAt.has(id) || !steps.some((step) => step.id === id)) return;
      doneAt.set(id, now());
      changed();
    },
    restart() {
      doneAt.clear();
      changed();
    },
    facts: () => ({
      steps: steps.map((step) => ({ ...step, done_at: doneAt.get(step.id) ?? null })),
      read_next: readNext ?? null,
    }),
  };
}
