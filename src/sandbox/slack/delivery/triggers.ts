import type { Clock } from '../clock.ts';
import type { Mint } from '../mint.ts';
import type { Faults } from './faults.ts';

/** How long a `trigger_id` lives. */
const triggerLifeMs = 3000;

/** What somebody did that lets the app open a view for them. */
export interface Trigger {
  readonly team: string;
  readonly user: string;
  /** The modal's view in which it was done. */
  readonly viewId: string | undefined;
  readonly expiresMs: number;
  exchanged: boolean;
}

export interface Triggers {
  create(trigger: Pick<Trigger, 'team' | 'user' | 'viewId'>): string;
  /** Finds a trigger, expired and exchanged ones too. */
  find(id: string): Trigger | undefined;
  clear(): void;
}

export function createTriggers(clock: Clock, mint: Mint, faults: Faults): Triggers {
  const triggers = new Map<string, Trigger>();
  return {
    create({ team, user, viewId }) {
      const isExpired = faults.take(team, 'expire_trigger') !== undefined;
      const [left, right] = mint.ts().split('.');
      const id = `${right}.${left}.${mint.secret()}`;
      const expiresMs = clock.now() + (isExpired ? -1 : triggerLifeMs);
      triggers.set(id, { team, user, viewId, expiresMs, exchanged: false });
      return id;
    },
    find: (id) => triggers.get(id),
    clear: () => triggers.clear(),
  };
}
