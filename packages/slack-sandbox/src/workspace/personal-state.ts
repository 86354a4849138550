/** A reminder of a person. */
export interface Reminder {
  readonly id: string;
  readonly user: string;
  readonly text: string;
  readonly isRecurring: boolean;
  readonly dueSeconds: number;
  completedSeconds: number;
  cancel(): void;
}

/** Something that a person has saved: a message or a file. */
export interface Star {
  readonly user: string;
  readonly createdSeconds: number;
  readonly item:
    | { readonly type: 'message'; readonly channel: string; readonly ts: string }
    | { readonly type: 'file'; readonly file: string };
}

/** The state that the workspace keeps for each person. */
export interface PersonalState {
  /** People and bots who are set to `away`. */
  readonly awayUsers: Set<string>;
  /** When each person's notifications are on again, in epoch seconds. */
  readonly snoozedUntil: Map<string, number>;
  /** Reminders by ID. */
  readonly reminders: Map<string, Reminder>;
  /** Oldest first. */
  stars: readonly Star[];
}

export function createPersonalState(): PersonalState {
  return { awayUsers: new Set(), snoozedUntil: new Map(), reminders: new Map(), stars: [] };
}
