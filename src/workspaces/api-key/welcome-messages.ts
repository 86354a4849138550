import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Outbox } from '../../messages/outbox.ts';
import { createPostOutcome } from '../../messages/post-outcome.ts';
import { connectKeyStep } from '../../operations/define/key-steps.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { type Installation, isOrgWide } from '../installation-store.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { postToAdmins } from './post-to-admins.ts';

/**
 * Schedules the message that asks a new workspace for an API key. The message goes to the installer if
 * they are an admin, and otherwise to the admins. There is none for an org-wide installation, because each
 * workspace has its own key.
 */
export type PlanWelcome = (installation: Installation, installerId?: string) => Promise<void>;

interface WelcomeDependencies {
  readonly jobs: Pick<Jobs, 'define' | 'clock'>;
  readonly keys: Pick<ApiKeyStore, 'describe'>;
  readonly outbox: Pick<Outbox, 'put' | 'transact'>;
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
}

/** Creates the job that asks newly installed workspaces for an API key once their admins are known. */
export function createWelcomeMessages({ jobs, keys, outbox, listAdmins }: WelcomeDependencies): PlanWelcome {
  const post = createPostOutcome(outbox);
  const queue = jobs.define({
    name: 'welcome',
    payload: z.object({ installedMs: z.number(), installerId: z.string().optional() }),
    retry: { firstMs: 15_000, maxMs: 60 * 60_000 },
    concurrency: 5,
    async handle({ teamId, payload: { installedMs, installerId = '' } }) {
      if ((await keys.describe(teamId)) !== undefined) return { kind: 'done' };
      const admins = await listAdmins(teamId);
      if (admins.length === 0) throw new RackhandError('member_unknown', "Rackhand's admins are unknown.");
      const asked = admins.includes(installerId) ? [installerId] : admins;
      // The key contains the time of installation, so a workspace is asked again if it reinstalls the app.
      const notice = { key: `welcome:${installedMs}`, teamId, outcome: welcome };
      await outbox.transact((transaction) => postToAdmins(post, notice, asked, transaction));
      return { kind: 'done' };
    },
  });

  return async (installation, installerId) => {
    const { teamId } = installation;
    if (isOrgWide(installation)) return;
    const payload = { installedMs: jobs.clock.now(), ...(installerId && { installerId }) };
    await queue.ensure({ id: teamId, teamId, payload });
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
