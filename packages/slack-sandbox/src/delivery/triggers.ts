import type { Clock } from '../clock.ts';
import type { IdGenerator } from '../id-generator.ts';
import type { FaultQueue } from './fault-queue.ts';

/** How long a `trigger_id` is valid. */
const triggerLifeMs = 3000;

/** An action after which the app can open a view for the person. */
export interface Trigger {
  readonly team: string;
  readonly user: string;
  /** The modal view in which the action happened. */
  readonly viewId: string | undefined;
  readonly expiresMs: number;
  isExchanged: boolean;
}

export interface Triggers {
  create(trigger: Pick<Trigger, 'team' | 'user' | 'viewId'>): string;
  /** Returns a trigger, even if it has expired or was used. */
  find(id: string): Trigger | undefined;
  clear(): void;
}

export function createTriggers(clock: Clock, ids: IdGenerator, faults: FaultQueue): Triggers {
  const triggers = new Map<string, Trigger>();
  return {
    create({ team, user, viewId }) {
      const isExpired = faults.consume(team, 'expire_trigger') !== undefined;
      const [left, right] = ids.ts().split('.');
      const id = `${right}.${left}.${ids.secret()}`;
      const expiresMs = clock.now() + (isExpired ? -1 : triggerLifeMs);
      triggers.set(id, { team, user, viewId, expiresMs, isExchanged: false });
      return id;
    },
    find: (id) => triggers.get(id),
    clear: () => triggers.clear(),
  };
}
