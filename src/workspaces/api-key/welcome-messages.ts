import type { Logger } from 'pino';
import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { connectKeyStep } from '../../operations/define/key-steps.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { type Installation, isOrgWide } from '../installation-store.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { SendToAdmins } from './key-reminders.ts';

/**
 * Plans the message that asks a new workspace for an API key. It goes to the installer if that is an admin, and
 * otherwise to the admins. An organization's installation gets none, because each of its workspaces
 * has a key of its own.
 */
export type PlanWelcome = (installation: Installation, installerId?: string) => Promise<void>;

interface WelcomeDependencies {
  readonly jobs: Pick<Jobs, 'define'>;
  readonly keys: Pick<ApiKeyStore, 'describe'>;
  readonly sendToAdmins: SendToAdmins;
  readonly log: Pick<Logger, 'error'>;
}

/** With the pauses between them, these attempts take a day. */
const maxAttempts = 30;

/** Asks newly installed workspaces for an API key. */
export function createWelcomeMessages({ jobs, keys, sendToAdmins, log }: WelcomeDependencies): PlanWelcome {
  const queue = jobs.define({
    name: 'welcome',
    payload: z.object({ installerId: z.string().optional() }),
    retry: { firstMs: 15_000, maxMs: 60 * 60_000 },
    concurrency: 5,
    async handle({ teamId, attempt, payload: { installerId } }) {
      if ((await keys.describe(teamId)) !== undefined) return { kind: 'done' };
      try {
        if (!(await sendToAdmins(teamId, welcome, installerId)))
          throw new RackhandError('member_unknown', "Rackhand's admins are unknown.");
      } catch (error) {
        if (attempt < maxAttempts) throw error;
        log.error({ err: error, teamId }, 'the message that asks for an API key is given up');
      }
      return { kind: 'done' };
    },
  });

  return async (installation, installerId) => {
    const { teamId } = installation;
    if (isOrgWide(installation)) return;
    await queue.ensure({ id: teamId, teamId, payload: { ...(installerId && { installerId }) } });
  };
}

const welcome: Outcome = {
  title: 'Rackhand is installed. Connect an API key to start using it',
  notes: [
    "Create the key in the hosting service's dashboard, under /services/addons/api-access. The next window says which permissions it needs.",
    'Then invite me to the channel where your team works: /invite @Rackhand',
  ],
  next: [connectKeyStep],
};
